"""What `steadfast advise` finds on a table, inside this process."""

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from steadfast.accuracy.classifiers import without_labels
from steadfast.accuracy.scores import USUAL
from steadfast.advice.deciding_score import deciding_score
from steadfast.advice.dossier import dossier
from steadfast.advice.recommendation import MARGIN
from steadfast.advice.testimony import Finding, Terms, find_in_fold, testify
from steadfast.api import choices, defaults, show
from steadfast.api.data import to_feature_groups, to_table
from steadfast.core.errors import UserError
from steadfast.core.estimator import require_whole
from steadfast.core.files import write_atomically
from steadfast.experiments.q_values import find_q_values
from steadfast.page.data import score_of, with_advice
from steadfast.page.document import study_page
from steadfast.page.method import method
from steadfast.page.text import tag
from steadfast.resampling.folds import Fold

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class StabilityReport:
    """Which selector, how many features, and which of them to trust: on data at hand.

    Every selector runs on the same subsamples of the rows. How far its runs agree is its stability;
    how well classifiers do on the other rows, with the selected features only, is its accuracy.
    The q-value of a feature says what share of noise is expected up to it. Numbers and page are
    those of `steadfast advise`; with `n_jobs` they come sooner, and are the same.

    Parameters
    ----------
    selector
        An estimator with scikit-learn's interface, the name of a selector of steadfast's
        (`steadfast.list_selectors`), a list of these, or a mapping from names in print to these or
        to settings as in a study. By default one of each kind, and random selection beside them.
    cv
        A number of subsamples; a scheme of steadfast's, by name or as ``{"scheme": …, …}``; a
        splitter of scikit-learn; or pairs of training and test rows. By default 30 subsamples of
        80% of the rows, each class in its share.
    classifiers
        Names of steadfast's, estimators, a list of these, or a mapping as above; the first is the
        one that advice goes by. An empty list scores none. By default an SVM and 5-NN.
    scoring
        What classifiers are scored by: `accuracy`, `balanced_accuracy`, `auc`, `log_loss`, `brier`,
        or a list of these. Advice goes by the first, unless that is accuracy, classes are unequal,
        and `auc` or `balanced_accuracy` is there. By default accuracy and, where all classifiers
        have it, AUC.
    probes
        Whether shuffled copies are run, and how many selectors vouch for a feature is told.
    trust
        Whether each feature gets a q-value; without them, features are trusted by the votes of
        selectors, and where there are no copies either, none is.
    largest
        The largest number of features that is looked at.
    seed
        What all draws derive from, together with the names below.
    name, study
        Of the data set and of the study: other names, other draws.
    title
        What page and figure call the data; `name` if left out.
    margin
        How much of the deciding score may be given up for a more stable selection: 0.02 is 2 points
        of accuracy.
    n_jobs
        Processes, as joblib counts them; one by default.

    Attributes
    ----------
    evidence_ : dict
        All that page, tables and figure show: what the workflow writes to ``evidence/NAME.json``.
    folds_ : list
        The folds, with their training and test rows.
    scoring_ : list
        The scores; `evidence_["scoring"]` says which one decided.

    Examples
    --------
    >>> import steadfast
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> report = steadfast.StabilityReport(["fisher", "random"], cv=4, classifiers="knn")
    >>> report.fit(X, y).table()["recommended"]
    selector
    Fisher score     True
    Random          False
    Name: recommended, dtype: bool

    Any selector of scikit-learn's interface takes part:

    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.naive_bayes import GaussianNB
    >>> own = steadfast.StabilityReport({"ANOVA": SelectKBest()}, cv=3, classifiers=GaussianNB())
    >>> own.fit(X, y).table().index.tolist()
    ['ANOVA']
    """

    def __init__(
        self,
        selector: Any = None,
        *,
        cv: Any = None,
        classifiers: Any = None,
        scoring: Any = None,
        probes: bool = True,
        trust: bool = True,
        largest: int = defaults.LARGEST,
        seed: int = defaults.SEED,
        name: str = "data",
        study: str = "advise",
        title: str | None = None,
        margin: float = MARGIN,
        n_jobs: int | None = None,
    ):
        self.selector, self.cv, self.classifiers = selector, cv, classifiers
        self.scoring, self.probes, self.trust = scoring, probes, trust
        self.largest, self.seed = largest, seed
        self.name, self.study, self.title, self.n_jobs = name, study, title, n_jobs
        self.margin = margin

    def fit(self, X: Any, y: Any, groups: Any = None, feature_groups: Any = None) -> Self:
        """Run all selectors on all folds, and draw the conclusions.

        Parameters
        ----------
        X
            Rows by features: numbers, or a data frame, whose columns of text are categories.
        y
            The class of each row.
        groups
            The group of each row, of one patient say; groups stay together in every split.
        feature_groups
            Features that count as one, such as probes of one gene: a mapping of each group to its
            features, or a file with the columns feature and group.

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_wine
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False)
        >>> report.fit(*load_wine(return_X_y=True)).evidence_["runs"]["told"]
        '3 subsamples of 80% of the rows, each class in its share'
        """
        require_whole("largest", self.largest, 1)
        require_whole("seed", self.seed, 0)
        table, about = to_table(X, y, groups, name=self.name, title=self.title or self.name)
        if feature_groups is not None:
            about["feature_groups"] = to_feature_groups(feature_groups, table.features)
        selectors = choices.to_selectors(self.selector, self.largest)
        scored = choices.to_classifiers(self.classifiers)
        scoring = choices.to_scoring(self.scoring, scored)
        if groups is not None:
            choices.refuse_torn_groups(selectors, scored, scoring)
        rows = (table.X, table.y, table.groups)
        drawn = choices.draw_folds(self.cv, table, self.seed, (self.study, self.name), rows)
        terms = Terms(
            *(self.name, self.seed, without_labels(scored)),
            *(range(1, self.largest + 1), defaults.BINS, scoring),
        )
        self.folds_, self.scoring_ = drawn.folds, scoring
        deciding = deciding_score(scoring, table.y, self.folds_)
        found = self._find(selectors, table, terms)
        witnesses = [
            testify(
                name,
                self._about(selectors, name),
                found[name],
                self.folds_,
                table.X.shape[1],
                terms,
                deciding.score,
            )
            for name in selectors
        ]
        labels = {name: entry.get("label", name) for name, entry in scored.items()}
        kept = [one for one in witnesses if one is not None]
        q_values = None
        if self.trust:
            q_values = find_q_values(table, seed=self.seed, dataset=self.name)
        made = dossier(
            *(table, about, self.folds_, kept, labels, drawn.told),
            halves=drawn.halves,
            independent=drawn.independent,
            deciding=deciding if tuple(scoring) != USUAL else None,
            q_values=q_values,
            margin=self.margin,
        )
        # As the workflow's file has it.
        self.evidence_ = json.loads(json.dumps(made, allow_nan=False))
        return self

    def _about(self, selectors: dict, name: str) -> dict[str, Any]:
        baseline = name == choices.baseline_of(selectors)
        return {"label": selectors[name].label, "baseline": baseline}

    def _find(self, selectors: dict, table: Any, terms: Terms) -> dict[str, dict[str, Finding]]:
        """What each selector finds on each fold."""
        baseline = choices.baseline_of(selectors)
        tasks = [
            (one.settings, table, fold, terms, one.discrete, self.probes and name != baseline)
            for (name, one), fold in product(selectors.items(), self.folds_)
        ]
        if self.n_jobs in (None, 1):
            findings = [_task(*task) for task in tasks]
        else:
            from joblib import Parallel, delayed

            findings = Parallel(n_jobs=self.n_jobs)(delayed(_task)(*task) for task in tasks)
        names = [(name, fold.name) for name, fold in product(selectors, self.folds_)]
        found: dict[str, dict[str, Finding]] = {name: {} for name in selectors}
        for (name, fold), finding in zip(names, findings, strict=True):
            found[name][fold] = finding
        return found

    @property
    def answer(self) -> list[str]:
        """The conclusion in sentences.

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_wine
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False)
        >>> len(report.fit(*load_wine(return_X_y=True)).answer) > 0
        True
        """
        return list(self._evidence()["advice"]["answer"])

    def table(self) -> Any:
        """A pandas data frame, one row per selector at its recommended size.

        Columns are size, stability and accuracy with the ends of their 95% intervals, and whether
        the selector is the recommended one. Where another score decides, its name is in the place
        of accuracy (`auc`, say).

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_wine
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False)
        >>> list(report.fit(*load_wine(return_X_y=True)).table().columns[:4])
        ['size', 'stability', 'stability_low', 'stability_high']
        """
        scored = score_of(self._evidence()).name
        columns = ["size"]
        columns += [f"{of}{end}" for of in ("stability", scored) for end in ("", "_low", "_high")]
        rows = show.selector_rows(self._evidence())
        return show.to_frame(rows, "selector", [*columns, "recommended"], "table()")

    def features(self) -> Any:
        """A pandas data frame, one row per feature of the recommended subsets, best first.

        Columns:

        - the share of the runs that select it (frequency), and its mean rank in these;
        - in which class it is highest (direction), empty where fewer than 90% of the runs agree,
          and the share of the runs that agree (agreement);
        - the difference of medians in units of the feature; for a category, the difference of its
          shares in percentage points. Of two classes it is the second minus the first, of more the
          class of the highest mean rank minus all other rows;
        - the probability that a row of that class has the higher value (auc). The ends of 95%
          intervals are in difference_low, difference_high, auc_low and auc_high. All rows are used,
          those on which features were selected, so these effects are too large on average;
        - how many selectors vouch for it (votes), its q-value (q), what it tells in addition to the
          others (tells), and whether it is trusted;
        - why it is selected in at least half of the runs but not trusted, or trusted but selected
          in fewer (why).

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_wine
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers=[])
        >>> report.fit(X, y).features().loc["flavanoids", "trusted"].item()
        True
        """
        rows = show.feature_rows(self._evidence())
        return show.to_frame(rows, "feature", show.FEATURE_COLUMNS, "features()")

    def plot(self, classifier: str | None = None) -> "Figure":
        """A matplotlib figure: stability and accuracy by number of features, with 95% intervals.

        Parameters
        ----------
        classifier
            Whose accuracy; that of the first if left out.

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_wine
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers="knn", probes=False)
        >>> figure = report.fit(*load_wine(return_X_y=True)).plot()
        >>> [ax.get_ylabel() for ax in figure.axes]
        ['Stability (Nogueira)', 'Accuracy (5-NN)']
        """
        return show.figure(self._evidence(), classifier)

    def save(self, path: Any) -> Path:
        """Write the page: one HTML file with all it needs, to send to a colleague.

        Examples
        --------
        >>> import tempfile, pathlib, steadfast
        >>> from sklearn.datasets import load_wine
        >>> report = steadfast.StabilityReport("fisher", cv=3, classifiers=[], probes=False)
        >>> report = report.fit(*load_wine(return_X_y=True))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.save(pathlib.Path(folder) / "page.html").name
        'page.html'
        """
        target, page = Path(path), self._page()
        try:
            write_atomically(target, page)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no name of a file"
            raise UserError(f"{target}: cannot be written: {reason}") from None
        return target

    def _page(self) -> bytes:
        evidence = self._evidence()
        labels: Sequence[str] = list(evidence["classifiers"].values())
        context = {
            "study": self.study,
            "title": self.title or self.name,
            "paper": "",
            "seed": self.seed,
            "command": "",
            "runs": evidence["runs"]["told"],
            "bins_inside_folds": True,
            "classifier": labels[0] if labels else None,
            **({"margin": self.margin} if labels else {}),
            "probes": self.probes,
            **({"trust": True} if self.trust else {}),
            "has_rules": False,
            "dependent": [],
            "mere_readings": [],
            "scoring": self.scoring_,
        }
        return study_page([evidence], {**context, "method": method(context)})

    def _evidence(self) -> dict[str, Any]:
        show.check_fitted(self)
        return with_advice(self.evidence_)

    def _repr_html_(self) -> str | None:
        """The conclusion and the table, for notebooks; nothing before `fit`."""
        if not hasattr(self, "evidence_"):
            return None
        said = "".join(tag("p", sentence) for sentence in self.answer)
        try:
            return f"{said}{self.table().to_html(float_format='{:.3f}'.format)}"
        except UserError:  # pandas is not installed
            return said

    def __repr__(self) -> str:
        if not hasattr(self, "evidence_"):
            return "StabilityReport(not fitted)"
        return f"StabilityReport({self.evidence_['dataset']['title']}: {' '.join(self.answer)})"


def _task(
    settings: dict, table: Any, fold: Fold, terms: Terms, discrete: bool, probes: bool
) -> Finding:
    return find_in_fold(settings, table, fold, terms, discrete=discrete, probes=probes)
