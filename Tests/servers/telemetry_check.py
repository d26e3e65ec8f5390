"""Reads an OTLP trace request in JSON on standard input, strictly, with the published protocol definitions, and checks
the names of its attributes against the published semantic conventions. Exits with 1 and a sentence if it is not right."""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import error_attributes, gen_ai_attributes


def names(module):
    return {value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)}


known = names(gen_ai_attributes) | names(error_attributes)
known |= {"service.name", "service.version", "service.instance.id"}


def identifiers(value):
    """OTLP writes identifiers in hexadecimal, where plain protobuf JSON has base64: the one exception it makes."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key in ("traceId", "spanId", "parentSpanId"):
                length = {"traceId": 16}.get(key, 8)
                raw = bytes.fromhex(member)
                assert len(raw) == length and any(raw), f"{key} {member} is not {length} bytes"
                value[key] = base64.b64encode(raw).decode()
            else:
                identifiers(member)
    elif isinstance(value, list):
        for member in value:
            identifiers(member)


def attributes(owner):
    for attribute in owner.attributes:
        assert attribute.key in known or attribute.key.startswith("parley."), f"{attribute.key} is no known name"
        assert attribute.value.WhichOneof("value"), f"{attribute.key} has no value"
        if attribute.key in ("gen_ai.input.messages", "gen_ai.output.messages"):
            for message in json.loads(attribute.value.string_value):
                assert message["role"] and message["parts"][0]["type"] == "text"


tree = json.load(sys.stdin)
identifiers(tree)
request = json_format.ParseDict(tree, ExportTraceServiceRequest(), ignore_unknown_fields=False)
seen = set()
for resource in request.resource_spans:
    attributes(resource.resource)
    for scope in resource.scope_spans:
        spans = {span.span_id for span in scope.spans}
        for span in scope.spans:
            assert span.span_id not in seen, f"{span.name} has the identifier of another span"
            seen.add(span.span_id)
            assert not span.parent_span_id or span.parent_span_id in spans, f"{span.name} has no parent"
            assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, f"{span.name} ends before it starts"
            attributes(span)
            for event in span.events:
                attributes(event)
print(f"{len(seen)} spans")
