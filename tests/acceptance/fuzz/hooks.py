"""What schemathesis is told of this interface: whose key a request bears, which calls do something, and what is never sent.

FUZZ_KEYS is JSON: `by_scope` (the key of each scope) and `own_ids` (ids of these keys, which no request may end or change).
"""

import copy
import json
import os
import re
from itertools import count
from urllib.parse import unquote
from uuid import UUID

import jsonschema_rs
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

keys = json.loads(os.environ["FUZZ_KEYS"])
# Nobody's id.
NOBODY = str(UUID(int=7))
# One request in so many bears the key of a scope that it does not need, and is refused.
ONE_WITH_A_WRONG_SCOPE = 12
# Tools and a capability that run in the deployment itself, and parameters that serve them.
TOOLS = {
    "formula.expression.evaluate.v1": {"expression": "2 * (3 + 4)^2"},
    "almanac.holiday.list.v1": {"country_code": "DE", "year": 2026},
    "almanac.time.convert.v1": {
        "datetime": "2026-07-01T12:00",
        "from_zone": "Europe/Berlin",
        "to_zones": ["Asia/Shanghai"],
    },
}
CAPABILITY = {
    "capability_id": "geo.distance",
    "parameters": {
        "from_latitude": 52.52,
        "from_longitude": 13.405,
        "to_latitude": 48.8566,
        "to_longitude": 2.3522,
    },
}

turn = count()
# Operations as the document has them, by id.
documented = {}

# Begins such as `^[^\u0000-\u001f…`: texts without control characters.
PLAIN_TEXT = r"\u0000-\u001f"


def without_plain_text(node):
    """The generator makes a text of such a pattern letter by letter, which takes minutes where it may be long."""
    if isinstance(node, list):
        for item in node:
            without_plain_text(item)
    elif isinstance(node, dict):
        if PLAIN_TEXT in str(node.get("pattern", "")):
            del node["pattern"]
        for item in node.values():
            without_plain_text(item)


@schemathesis.serializer("application/x-ndjson")
def as_rows(_context, value):
    """A text as it is, and a value as the one row."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_load_schema(_context, raw_schema):
    for path in copy.deepcopy(raw_schema["paths"]).values():
        for operation in path.values():
            documented[operation["operationId"]] = operation
    for path in raw_schema["paths"].values():
        for operation in path.values():
            without_plain_text(operation.get("parameters"))
            without_plain_text(operation.get("requestBody"))


def scope_of(operation) -> str | None:
    """The scope that the description of the operation names."""
    named = re.search(r"needs the scope `(\w+)`", operation.definition.raw.get("description", ""))
    return named and named.group(1)


@schemathesis.auth(refresh_interval=None)
class Keys:
    """The key of the scope that the operation needs, and now and then another."""

    def get(self, case, _context):
        if case.operation.definition.raw.get("security") == []:
            return None
        scopes = sorted(keys["by_scope"])
        scope = scope_of(case.operation) or scopes[0]
        # What one step makes is read by the next.
        is_step = case.meta is not None and case.meta.phase.name.value == "stateful"
        if not is_step and next(turn) % ONE_WITH_A_WRONG_SCOPE == 0:
            scope = next(other for other in scopes if other != scope)
        return keys["by_scope"][scope]

    def set(self, case, data, _context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(_context, case, _kwargs):
    for name, value in case.path_parameters.items():
        if value in keys["own_ids"]:
            case.path_parameters[name] = NOBODY
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(case.body, dict):
        return
    # Left to itself the generator names no tool that there is. Every other request of such an operation gets to one.
    choice = next(turn)
    if choice % 2 == 1:
        return
    name = case.operation.definition.raw["operationId"]
    if name in ("executeTool", "probeTool"):
        tool_id, parameters = list(TOOLS.items())[choice // 2 % len(TOOLS)]
        case.query.pop("tool_id", None)
        case.body |= {"tool_id": tool_id, "parameters": dict(parameters)}
    elif name == "inspectTools":
        case.body["tool_ids"] = list(TOOLS)
    elif name == "queryCapability":
        case.body |= CAPABILITY


def as_sent(schema, value):
    """A list in a query is a text with delimiters here, of a class that no validator knows."""
    text = str(value) if isinstance(value, str) else value
    return text.split(",") if schema.get("type") == "array" and isinstance(text, str) else text


@schemathesis.hook
def filter_failure(_context, failure, case, response):
    """What is valid for the generator is looked at again, by the document as it is."""
    if isinstance(failure, AcceptedNegativeData):
        # A repetition is known by its key and by what it asks for: members that only attribute the call are read the first time.
        return "idempotency-replayed" not in response.headers
    if not isinstance(failure, RejectedPositiveData):
        return True
    operation = documented[case.operation.definition.raw["operationId"]]
    for parameter in operation.get("parameters", []):
        # Parts of a path are kept as they stand in the URL.
        path = {name: unquote(str(value)) for name, value in (case.path_parameters or {}).items()}
        values = {"query": case.query, "path": path, "header": case.headers}[parameter["in"]]
        name, schema = parameter["name"], parameter["schema"]
        if name in (values or {}) and not jsonschema_rs.is_valid(schema, as_sent(schema, values[name])):
            return False
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    return all(jsonschema_rs.is_valid(body["schema"], case.body) for body in bodies)

