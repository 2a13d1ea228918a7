"""The reference for `npm run check:torch`: transformers and autograd over a model folder and the same sequences.

Reads FOLDER/check.json (sequences and losses), writes FOLDER/<loss>.safetensors (gradients) and FOLDER/torch.json.
"""
import json
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

folder = sys.argv[1]
check = json.load(open(f"{folder}/check.json"))
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager")
tensor = lambda xs: torch.tensor(xs, dtype=torch.float64)


def logprobs(datum):
    tokens = torch.tensor([datum["tokens"]])
    logits = model(tokens).logits[0]
    return logits[:-1].log_softmax(-1).gather(1, tokens[0, 1:, None])[:, 0]


def total(loss):
    out = tensor(0.0)
    for datum in check["data"]:
        w, a, old, ref = (tensor(datum[k])[1:] for k in ("weights", "advantages", "logprobs", "reference"))
        logp = logprobs(datum)
        ratio = (logp - old).exp()
        if loss["kind"] == "crossEntropy":
            term = -a * logp
        elif loss["kind"] == "importanceSampling":
            term = -ratio * a
        else:
            term = -torch.minimum(ratio * a, ratio.clamp(1 - loss["clipLow"], 1 + loss["clipHigh"]) * a)
        d = ref - logp
        out = out + (w * (term + loss.get("klCoef", 0) * (d.exp() - 1 - d))).sum()
    return out


answer = {"torch": torch.__version__, "losses": {}}
for name, loss in check["losses"].items():
    model.zero_grad()
    value = total(loss)
    value.backward()
    answer["losses"][name] = value.item()
    gradients = {key: p.grad.float().contiguous() for key, p in model.named_parameters()}
    save_file(gradients, f"{folder}/{name}.safetensors")
with torch.no_grad():
    answer["logits"] = [model(torch.tensor([d["tokens"]])).logits[0].flatten().tolist() for d in check["data"]]
json.dump(answer, open(f"{folder}/torch.json", "w"))
