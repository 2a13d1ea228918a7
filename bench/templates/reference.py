"""Renders conversations as the reference does: transformers' own environment for chat templates, nothing else of it.

Reads {"now", "templates": [source], "cases": [{"template": index, "variables"}]} from a file, writes [{"text"} or
{"error"}] to another.
"""
import datetime
import json
import sys

from transformers.utils import chat_template_utils

with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)

now = datetime.datetime.fromisoformat(asked["now"])


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return now


chat_template_utils.datetime = Frozen


def render(case):
    variables = dict(case["variables"])
    try:
        [text], _ = chat_template_utils.render_jinja_template(
            conversations=[variables.pop("messages")],
            tools=variables.pop("tools", None),
            chat_template=asked["templates"][case["template"]],
            add_generation_prompt=variables.pop("add_generation_prompt", False),
            **variables,
        )
        return {"text": text}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


answers = [render(case) for case in asked["cases"]]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(answers, file)
