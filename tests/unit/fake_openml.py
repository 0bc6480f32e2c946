"""A small OpenML server on 127.0.0.1, enough for openml-python to fetch a data set by its id."""

import hashlib
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from xml.sax.saxutils import escape

DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>{number}</oml:id><oml:name>made_up</oml:name><oml:version>1</oml:version>
<oml:description>Made up.</oml:description><oml:format>ARFF</oml:format>
<oml:licence>Public</oml:licence><oml:url>{url}</oml:url>
<oml:parquet_url>http://127.0.0.1:9/never/asked.pq</oml:parquet_url>
{fields}<oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>"""
UNKNOWN = """<oml:error xmlns:oml="http://openml.org/openml">
<oml:code>111</oml:code><oml:message>Unknown dataset</oml:message></oml:error>"""


@dataclass
class FakeOpenML:
    """The server; use it in a `with` statement.

    Attributes
    ----------
    answers : path to (status, body); what is not in it is answered as OpenML does for unknown ids
    requests : the paths of the requests, in order
    """

    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    @property
    def server(self) -> str:
        """The address to give to openml-python."""
        return f"{self._base}/api/v1/xml"

    def add(
        self, number: int, arff: str, md5: str | None = None, **fields: str | list[str]
    ) -> None:
        """Offer an ARFF file; `fields` go into its description (`default_target_attribute`)."""
        md5 = md5 or hashlib.md5(arff.encode()).hexdigest()
        elements = "".join(
            f"<oml:{key}>{escape(text)}</oml:{key}>\n"
            for key, value in fields.items()
            for text in ([value] if isinstance(value, str) else value)
        )
        url = f"{self._base}/data/{number}.arff"
        description = DESCRIPTION.format(number=number, url=url, fields=elements, md5=md5)
        self.answers[f"/api/v1/xml/data/{number}"] = (200, description)
        self.answers[f"/data/{number}.arff"] = (200, arff)

    def __enter__(self) -> Self:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.split("?")[0]
                fake.requests.append(path)
                status, body = fake.answers.get(path, (412, UNKNOWN))
                self.send_response(status)
                self.send_header("Content-Type", "text/xml; charset=utf-8")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._base = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
