#!/usr/bin/env python3
"""pydantic-ai's adapter for UI message streams, as it is published, around a model that does as it is told.

  please write NAME   call a tool that needs an approval, which notes that it ran
  please be slow      words for ten seconds
  anything else       said back
"""

from common import Log, answer, arguments, listening, serve
from pydantic_ai import Agent
from pydantic_ai.messages import ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.ui.vercel_ai import VercelAIAdapter
from starlette.applications import Starlette
from starlette.routing import Route

log = Log(arguments().log)


async def stream(messages, info):
    last = messages[-1].parts
    results = [part for part in last if isinstance(part, ToolReturnPart)]
    if results:
        async for piece in answer(log, f"the tool says {results[-1].content}"):
            yield piece
        return
    words = " ".join(str(part.content) for part in last if isinstance(part, UserPromptPart))
    if words.startswith("please write"):
        log.write("asked " + words)
        yield {0: DeltaToolCall(name="write_note", json_args='{"name": "%s"}' % words.split()[-1], tool_call_id="call-1")}
        log.write("over done")
        return
    async for piece in answer(log, words):
        yield piece


agent = Agent(FunctionModel(stream_function=stream), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def write_note(name: str) -> str:
    log.write("wrote " + name)
    return "written"


async def chat(request):
    return await VercelAIAdapter.dispatch_request(request, agent=agent, sdk_version=6)


serve(Starlette(routes=[Route("/chat", chat, methods=["POST"])]), *listening())
