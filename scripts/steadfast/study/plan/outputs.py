"""Tables, figures, summaries, pages, and the experiments behind some of them."""

import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from steadfast.core import registry
from steadfast.core.paths import name_after, split_name, with_manifest
from steadfast.data.own_tables import OWN_KEYS, STUDY, option_text, typed_options
from steadfast.measures.declare import PAGE_MEASURE
from steadfast.study.context import (
    entry_context,
    evidence_context,
    has_probes,
    page_context,
    summary_context,
)
from steadfast.study.declaration import Selector, Study
from steadfast.study.load import kind_of
from steadfast.study.plan.alpha import AlphaPlan
from steadfast.study.plan.base import as_json, as_ordered_json, option, with_manifests
from steadfast.study.published import rows_of_table
from steadfast.study.run import published_file


class OutputPlan(AlphaPlan):
    """What outputs read, and what they know of their study."""

    def _entry(self, sort: str, study: str, name: str) -> tuple[Any, dict[str, Any]]:
        entry = getattr(self.studies[study], f"{sort}s")[name]
        return kind_of(sort, entry), entry

    # Tables and figures

    def output_context(self, sort: str, study: str, name: str) -> str:
        """All that a table or figure knows of its study."""
        kind, entry = self._entry(sort, study, name)
        context = entry_context(
            self.studies[study],
            kind,
            entry,
            published=self._printed_rows(study, name, entry),
            folds_per_job=self.folds_per_job,
            seed=self.seed,
        )
        if kind.project_files(entry):
            context["project"] = os.path.relpath(self.run.root)
        return as_ordered_json(context)

    def _printed_rows(
        self, study: str, name: str, entry: Mapping[str, Any]
    ) -> dict[str, dict[str, float]]:
        """What the paper prints under an entry's name, or under the one that it says."""
        published = self.run.published.get(study, [])
        return rows_of_table(published, entry.get("published_as", name))

    def output_modules(self, sort: str, study: str, name: str) -> list[str]:
        """The file of its kind, and what that runs by name."""
        kind, entry = self._entry(sort, study, name)
        own = registry.declared(sort)[entry["kind"]].file
        return [own, *kind.modules(self.studies[study], entry)]

    def output_files(self, sort: str, study: str, name: str) -> list[str]:
        """All files of results that a table or figure reads."""
        kind, entry = self._entry(sort, study, name)
        return self._inputs_of(study, kind, entry)

    def _inputs_of(self, study: str, kind: Any, entry: Mapping[str, Any]) -> list[str]:
        """All files of results that an entry reads."""
        one = self.studies[study]
        files = self.data_files(one.datasets, "json")
        for need in kind.source.reads:
            files += getattr(self, f"_{need}_files")(study, entry)
        place = self.paths.within(study=study)
        for name, argument in kind.arguments.items():
            files += argument.files(entry, name, place)
        files += [os.path.relpath(self.run.root / file) for file in kind.project_files(entry)]
        return [*dict.fromkeys(files)]

    # What sources of outputs read

    def _curves_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """All curves, and the folds of each data set."""
        place, one = self.paths.within(study=study), self.studies[study]
        files = [place("curves"), place("units"), place("curves", "sha256")]
        return files + with_manifests(place("folds", dataset=name) for name in one.datasets)

    def _selections_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """What every selector selected, and the rows of the data sets."""
        one, files = self.studies[study], self._rows_files(study, entry)
        for dataset in one.datasets:
            files += self.batch_files(study, dataset, *one.selectors)
        return files

    def _bins_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """The data sets in bins."""
        names = self.studies[study].datasets
        return with_manifests(self.paths("bins", study=study, dataset=name) for name in names)

    def _published_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """Published numbers beside those of the run."""
        return with_manifest(self.paths("published", study=study))

    def _rows_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """The rows of the data sets."""
        names = self.studies[study].datasets
        return with_manifests(self.paths("data", dataset=name) for name in names)

    def _recovery_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """All scenarios and selectors of the study's `recovery`."""
        runs = self.recovery_runs(study)
        return with_manifests(self.paths("recovery", study=study, **one) for one in runs)

    def _alpha_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """What is known of every α on each data set, and what rules lose."""
        place = self.paths.within(study=study)
        files = with_manifest(place("alpha_rules"))
        endings = ("tsv", "units.tsv", "choices.tsv", "facts.tsv", "variance.tsv", "sha256")
        for dataset in self.studies[study].datasets:
            files += [place("alpha", ending, dataset=dataset) for ending in endings]
        return files

    def _surface_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """The surface of stability of an entry's data set."""
        return self._entry_files("surface", study, entry)

    def _variation_files(self, study: str, entry: Mapping[str, Any]) -> list[str]:
        """How the criterion of an entry's selectors varies on its data set."""
        return self._entry_files("variation", study, entry)

    def _entry_files(self, place: str, study: str, entry: Mapping[str, Any]) -> list[str]:
        """Files by data set and selector: of the selectors that an entry names, or of all."""
        one, dataset = self.studies[study], entry["dataset"]
        named = [entry[key] for key in ("selector", "more", "than") if key in entry]
        selectors = entry.get("selectors", named or list(one.selectors))
        names = {"study": study, "dataset": dataset}
        run = [name for name in selectors if one.is_run(dataset, name)]
        return with_manifests(self.paths(place, selector=name, **names) for name in run)

    def curve_files(self, of: str, study: str, dataset: str, selectors: Iterable[str]) -> list[str]:
        """Curves of selectors, whatever their transform, and the checksums that vouch for them."""
        endings = ["tsv", "sha256", *(["units.tsv"] if of == "stability" else [])]
        run = [name for name in selectors if self.studies[study].is_run(dataset, name)]
        return [
            self.paths(of, ending, study=study, dataset=dataset, selector=selector)
            for selector in dict.fromkeys(split_name(name)[0] for name in run)
            for ending in endings
        ]

    def row_files(self, study: str, dataset: str) -> list[str]:
        """A data set and its folds."""
        names = {"study": study, "dataset": dataset}
        return with_manifests([self.paths("folds", **names), self.paths("data", **names)])

    # Published numbers, summary and times

    def published_numbers(self, study: str) -> list[str]:
        """The file of a paper's printed numbers, if there is one."""
        path = published_file(self.run.root, self.studies[study].published)
        return [os.path.relpath(path)] if study in self.run.published else []

    def published_tables(self, study: str) -> list[str]:
        """Tables whose cells are those of the paper's."""
        return [
            self.paths("table", study=study, table=name)
            for name, entry in self.studies[study].tables.items()
            if kind_of("table", entry).published_cells
        ]

    def mean_tables(self, study: str) -> list[str]:
        """Tables whose means are compared with the paper's."""
        one = self.studies[study]
        names = [name for name in one.published_means if name in one.tables]
        return [self.paths("table", study=study, table=name) for name in names]

    def published_vouchers(self, study: str) -> list[str]:
        return self.vouchers([*self.published_tables(study), *self.mean_tables(study)])

    def stand_ins(self, study: str) -> str:
        return as_json(self.studies[study].stand_ins)

    def readings(self, study: str) -> str:
        return as_ordered_json(self.studies[study].readings)

    def means(self, study: str) -> str:
        return as_ordered_json(self.studies[study].published_means)

    def summary_context(self, study: str) -> str:
        own = {"folds_per_job": self.folds_per_job, "seed": self.seed}
        own["verdicts"] = self.config["verdicts"]
        return as_ordered_json(summary_context(self.studies[study], **own))

    def summary_modules(self, study: str) -> list[str]:
        """The files of the claims' kinds, and what those run by name."""
        one, files = self.studies[study], set()
        for claim in one.claims:
            files |= {registry.declared("claim")[claim["kind"]].file}
            files |= set(kind_of("claim", claim).modules(one, claim))
        return sorted(files)

    def summary_files(self, study: str) -> list[str]:
        """What the claims read, and the descriptions of the data sets."""
        one = self.studies[study]
        files = self.data_files(one.datasets, "json")
        for claim in one.claims:
            files += self._inputs_of(study, kind_of("claim", claim), claim)
        return [*dict.fromkeys(files)]

    def published_pairs(self, study: str) -> list[str]:
        """The published numbers beside ours, where there are any."""
        if study not in self.run.published:
            return []
        return with_manifest(self.paths("published", study=study))

    def published_option(self, study: str) -> str:
        pairs = self.published_pairs(study)
        return option("published", self.on_disk(pairs[0]) if pairs else None)

    def timed_runs(self, study: str) -> list[dict[str, Any]]:
        """Runs whose times are collected, with the paper's times; each once."""
        one = self.studies[study]
        runs: dict[tuple[str, str], dict[str, Any]] = {}
        read_as = {name: row for row, names in one.readings.items() for name in names}
        for table, entry in one.tables.items():
            kind = kind_of("table", entry)
            if not kind.timed:
                continue
            printed = self._printed_rows(study, table, entry)
            for selector in entry.get("selectors", one.selectors):
                if not one.is_run(entry["dataset"], selector):
                    continue
                batches = self.batches(study, entry["dataset"], selector)
                own = printed.get(read_as.get(selector, selector), {})
                runs[entry["dataset"], selector] = {
                    "dataset": entry["dataset"],
                    "selector": selector,
                    "label": one.selectors[selector].label,
                    "runs": sum(map(len, batches)),
                    "batches": len(batches),
                    "published": own.get("seconds"),
                    "published_runs": own.get("runs"),
                }
        return list(runs.values())

    def times_context(self, study: str) -> str:
        one = self.studies[study]
        recovery = [
            {
                **run,
                "labels": [one.scenarios[run["scenario"]]["label"], one.families[run["selector"]]],
                "sets": self._recovery_sets(study, run["selector"]),
            }
            for run in self.recovery_runs(study)
        ]
        title = f"Time of the selections: {one.title}"
        runs = {"runs": self.timed_runs(study), "recovery": recovery}
        return as_ordered_json({"study": study, "title": title, **runs})

    def has_times(self, study: str) -> bool:
        """Whether some selections are timed. It stands in their logs, which no storage hands on."""
        timed = self.timed_runs(study) or self.recovery_runs(study)
        return bool(timed) and not self.stored

    def times_files(self, study: str) -> list[str]:
        """The selections whose logs are read, and the data sets' descriptions."""
        runs = self.timed_runs(study)
        files = [
            file
            for one in runs
            for file in self.batch_files(study, one["dataset"], one["selector"])
        ]
        files += [self.paths("recovery", study=study, **one) for one in self.recovery_runs(study)]
        return files + self.data_files(dict.fromkeys(one["dataset"] for one in runs), "json")

    # Experiments

    def _figures(self, study: str, kind: str, **names: str) -> list[Mapping[str, Any]]:
        """Figures of a kind about a data set, or a data set and a selector."""
        figures = self.studies[study].figures.values()
        return [entry for entry in figures if {"kind": kind, **names}.items() <= entry.items()]

    def variation_bootstraps(self, study: str, dataset: str, selector: str) -> int:
        """As many as a figure of this selector and data set asks for."""
        figures = self._figures(study, "criterion_variation", dataset=dataset, selector=selector)
        return max((entry["bootstraps"] for entry in figures), default=50)

    def surface_settings(self, study: str, dataset: str) -> str:
        """The grid of the figure about this data set, and the subset size."""
        entry = self._figures(study, "surface", dataset=dataset)[0]
        return as_json({"grid": entry["grid"], "size": entry["size"]})

    def _precision_selectors(self, study: Study) -> dict[str, Selector]:
        """Selectors after transforms, as a study of precision runs them."""
        settings = study.precision
        names = [
            name_after(selector, transform)
            for selector in settings["selectors"]
            for transform in settings["transforms"]
        ]
        return {name: study.selectors[name] for name in names}

    def precision_settings(self, study: str) -> str:
        """All but the numbers of features, of which every job has one."""
        one = self.studies[study]
        own = {key: value for key, value in one.precision.items() if key != "features"}
        runs = {}
        for name, selector in self._precision_selectors(one).items():
            runs[name] = {
                "use": selector.use,
                "params": dict(selector.params),
                "discrete": selector.discrete,
            }
            if selector.transform:
                runs[name]["transform"] = selector.transform.settings
        return as_json({**own, "runs": runs, "discretise": one.bins.settings})

    def precision_modules(self, study: str) -> list[str]:
        selectors = self._precision_selectors(self.studies[study]).values()
        return sorted({file for selector in selectors for file in selector.files})

    def recovery_runs(self, study: str) -> list[dict[str, str]]:
        """Scenarios and the selectors that are run on them."""
        one = self.studies[study]
        selectors = one.recovery["selectors"] if one.recovery else []
        return [{"scenario": name, "selector": s} for name in one.scenarios for s in selectors]

    def _recovery_sets(self, study: str, selector: str) -> int:
        given = self.studies[study].recovery
        return given["fewer"].get(selector, given["sets"])

    def recovery_settings(self, study: str, scenario: str, selector: str) -> str:
        """One scenario and one selector; names in print are nothing that a job needs."""
        one = self.studies[study]
        run, drawn = one.selectors[selector], dict(one.scenarios[scenario])
        del drawn["label"]
        return as_json(
            {
                "scenario": drawn,
                "sets": self._recovery_sets(study, selector),
                "run": {"use": run.use, "params": dict(run.params)},
                "discretise": one.bins.settings if run.discrete else None,
            }
        )

    # The page

    def probes_options(self, study: str, selector: str) -> str:
        """Bins are always fitted inside the fold: a shuffled copy has none of all rows."""
        one = self.studies[study]
        if not one.selectors[selector].discrete:
            return ""
        return f"--discretise {shlex.quote(as_json(one.bins.settings))}"

    def page_ratio(self, study: str) -> float:
        return self.studies[study].scheme.page_ratio()

    def evidence_context(self, study: str, dataset: str) -> str:
        own = {"folds_per_job": self.folds_per_job, "seed": self.seed}
        return as_ordered_json(evidence_context(self.studies[study], dataset, **own))

    def evidence_files(self, study: str, dataset: str) -> list[str]:
        """All that the selectors of its page show on a data set."""
        one = self.studies[study]
        judged = one.judged_selectors(dataset)
        files = self.batch_files(study, dataset, *judged) + self.row_files(study, dataset)
        files += self.page_stability(study, dataset)
        if one.classifiers:
            files += self.curve_files("accuracy", study, dataset, judged)
        names = {"study": study, "dataset": dataset}
        probed = [name for name in judged if has_probes(one, name)]
        files += with_manifests(self.paths("probes", selector=name, **names) for name in probed)
        if one.trust:
            files += with_manifest(self.paths("trust", **names))
        return files + self.data_files([dataset], "json")

    def page_stability(self, study: str, dataset: str) -> list[str]:
        """Curves of the measure that pages show, and their units by size, where it is measured."""
        one = self.studies[study]
        if not any(use["measure"] == PAGE_MEASURE for use in one.measures):
            return []
        return [
            self.paths("stability", ending, study=study, dataset=dataset, selector=selector)
            for selector in dict.fromkeys(
                each.family for each in one.judged_selectors(dataset).values()
            )
            for ending in ("tsv", "units.npz", "sha256")
        ]

    def page_evidence(self, study: str) -> list[str]:
        datasets = self.studies[study].datasets
        return [self.paths("evidence", study=study, dataset=dataset) for dataset in datasets]

    def page_manifests(self, study: str) -> list[str]:
        return [with_manifest(path)[1] for path in self.page_evidence(study)]

    def page_context(self, study: str) -> str:
        command = self._page_command(study)
        context = page_context(self.studies[study], seed=self.seed, command=command)
        if self.config["data"]:
            typed = self.config["typed"] or typed_options(self.config, (*OWN_KEYS, "seed"))
            context["typed"] = typed
        return as_ordered_json(context)

    def _page_command(self, study: str) -> str:
        """The call that makes this page again; where a table lies is nobody's business."""
        if not self.config["data"]:
            return f"snakemake --cores all --config 'studies=[{study}]' seed={self.seed}"
        keys = (*OWN_KEYS, "seed")
        given = {key: self.config[key] for key in keys if self.config[key] is not None}
        table = Path(given.pop("data")).name
        options = [shlex.quote(option_text(key, value)) for key, value in given.items()]
        if self.config["overrides"].get(STUDY):
            options.append("--config=asked.yaml")
        return " ".join(["steadfast advise", shlex.quote(table), *options])
