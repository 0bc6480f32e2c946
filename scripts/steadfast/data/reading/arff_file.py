"""ARFF, the files of Weka."""

import re

from steadfast.core.errors import UserError
from steadfast.data.reading.allowance import OBJECT, Allowance
from steadfast.data.reading.sheet import Sheet
from steadfast.data.reading.text import TextFile

#: A quote in a quoted name, which liac-arff leaves as it is written.
_ESCAPED = re.compile(r"\\(['\"\\])")


def open_arff(file: TextFile, allowance: Allowance) -> Sheet:
    """The header and the rows."""
    import arff

    where, text = file.where, file.text()
    allowance.spend(len(text) + OBJECT * text.count(","))
    # liac-arff cuts the fraction off what an INTEGER column holds; to Weka it is any number.
    text = re.sub(r"(?im)^([ \t]*@attribute\b.*\s)integer[ \t\r]*$", r"\1REAL", text)
    sparse = re.search(r"(?im)^\s*@data\b.*\n(?:\s*(?:%.*)?\n)*\s*\{", text) is not None
    try:
        document = arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE)
    except (arff.ArffException, ValueError, LookupError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(
            f"{where}: cannot be read as ARFF ({reason}); mend it or get it again"
        ) from None
    rows = document["data"]
    if sparse:
        # What a sparse row leaves out is zero, and of named values the first.
        kinds = [kind for _, kind in document["attributes"]]
        zeros = [0.0 if isinstance(kind, str) else kind[0] for kind in kinds]
        rows = ([row.get(i, zero) for i, zero in enumerate(zeros)] for row in rows)
    header = tuple(_ESCAPED.sub(r"\1", name).strip() for name, _ in document["attributes"])
    return Sheet(header, iter(enumerate(rows, start=1)), "row", where, allowance)
