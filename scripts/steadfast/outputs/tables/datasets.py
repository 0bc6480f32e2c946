"""Tables of the data sets."""

from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View


@table("datasets")
class Datasets(TableKind):
    """The size of each data set."""

    all_selectors = False

    def build(self, view: View) -> Result:
        header = ["dataset", "title", "features", "instances", "classes"]
        header += ["smallest_class", "origin"]
        result = Result(header, [], ["Dataset", "Features", "Instances", "Classes", "Source"])
        for name in view.datasets:
            about, title = view.about(name), view.title(name)
            sizes = [about["features"], about["rows"], len(about["classes"])]
            smallest = min(about["classes"].values())
            result.rows.append([name, title, *sizes, smallest, about["origin"]])
            result.printed.append([title, *map(str, sizes), about["origin"]])
        return result
