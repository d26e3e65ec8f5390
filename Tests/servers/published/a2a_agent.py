#!/usr/bin/env python3
"""An Agent2Agent agent on the published kit, which speaks release 1.0 and, with `--release 0.3` as its first argument, the one before.

  please ask     wants to know a colour, and says it back
  please be slow words for ten seconds
  anything else  said back
"""

import sys

release = "1.0"
if sys.argv[1:2] == ["--release"]:
    release = sys.argv[2]
    del sys.argv[1:3]

from a2a.helpers.proto_helpers import new_task, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, TaskState
from common import Log, answer, arguments, listening, serve
from starlette.applications import Starlette

log = Log(arguments().log)


class Agent(AgentExecutor):
    async def execute(self, context, event_queue):
        task = context.current_task
        words = context.get_user_input()
        if task is None:
            task = new_task(context.task_id, context.context_id, TaskState.TASK_STATE_SUBMITTED)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        if words == "please ask":
            log.write("asked " + words)
            question = updater.new_agent_message([new_text_part("Which colour?")])
            await updater.requires_input(question)
            return log.write("over done")
        is_new = True
        async for piece in answer(log, words):
            await updater.add_artifact([new_text_part(piece)], artifact_id="answer", append=not is_new)
            is_new = False
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


listener, port = listening()
address = f"http://127.0.0.1:{port}/agent"
card = AgentCard(
    name="Published agent", description="It says back what it is told.", version="1.0.0",
    capabilities=AgentCapabilities(streaming=True), default_input_modes=["text/plain"],
    default_output_modes=["text/plain"],
    supported_interfaces=[AgentInterface(url=address, protocol_binding="JSONRPC", protocol_version=release)],
    skills=[AgentSkill(id="echo", name="Echo", description="Says it back.", tags=["echo"])])
handler = DefaultRequestHandler(agent_executor=Agent(), task_store=InMemoryTaskStore(), agent_card=card)
routes = create_agent_card_routes(card) + create_jsonrpc_routes(
    handler, rpc_url="/agent", enable_v0_3_compat=release == "0.3")
serve(Starlette(routes=routes), listener, port)
