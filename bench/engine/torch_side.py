"""The PyTorch side of the engine bench: the same model, written plainly in eager mode, answering commands line by line.

One JSON object a line in, one a line out, so that both sides can be measured in alternation.
"""
import json
import resource
import sys
import time

import torch
import torch.nn.functional as F


def parameters(c):
    g = torch.Generator().manual_seed(1)
    w, kv = c["width"], c["kvHeads"] * c["headWidth"]
    q = c["heads"] * c["headWidth"]

    def matrix(out, inner):
        return (torch.randn(out, inner, generator=g) / inner**0.5).requires_grad_()

    def ones():
        return torch.ones(w, requires_grad=True)

    layers = [
        dict(n1=ones(), n2=ones(), q=matrix(q, w), k=matrix(kv, w), v=matrix(kv, w), o=matrix(w, q),
             gate=matrix(c["mlpWidth"], w), up=matrix(c["mlpWidth"], w), down=matrix(w, c["mlpWidth"]))
        for _ in range(c["layers"])
    ]
    embedding = (torch.randn(c["vocabulary"], w, generator=g) * 0.02).requires_grad_()
    return dict(embedding=embedding, layers=layers, norm=ones())


def rope_tables(c):
    half = c["headWidth"] // 2
    inverse = 1.0 / c["ropeTheta"] ** (torch.arange(half) / half)
    angles = torch.outer(torch.arange(c["context"]), inverse)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def block(c, layer, x, cos, sin, attend):
    b, t, _ = x.shape
    h = F.rms_norm(x, (c["width"],), layer["n1"], c["normEps"])
    heads = lambda y, n: y.view(b, t, n, c["headWidth"]).transpose(1, 2)
    q = rotate(heads(h @ layer["q"].T, c["heads"]), cos, sin)
    k = rotate(heads(h @ layer["k"].T, c["kvHeads"]), cos, sin)
    v = heads(h @ layer["v"].T, c["kvHeads"])
    x = x + attend(q, k, v).transpose(1, 2).reshape(b, t, -1) @ layer["o"].T
    h = F.rms_norm(x, (c["width"],), layer["n2"], c["normEps"])
    return x + (F.silu(h @ layer["gate"].T) * (h @ layer["up"].T)) @ layer["down"].T


class Bench:
    def __init__(self, c):
        self.c = c
        self.p = parameters(c)
        self.cos, self.sin = rope_tables(c)
        self.flat = [self.p["embedding"], self.p["norm"], *(t for l in self.p["layers"] for t in l.values())]
        self.optimizer = torch.optim.AdamW(self.flat, lr=1e-4, fused=True)

    def train(self, batch, length):
        tokens = torch.randint(0, self.c["vocabulary"], (batch, length + 1))
        start = time.perf_counter()
        x = self.p["embedding"][tokens[:, :-1]]
        cos, sin = self.cos[:length], self.sin[:length]
        causal = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        for layer in self.p["layers"]:
            x = block(self.c, layer, x, cos, sin, causal)
        logits = F.rms_norm(x, (self.c["width"],), self.p["norm"], self.c["normEps"]) @ self.p["embedding"].T
        loss = F.cross_entropy(logits.view(-1, self.c["vocabulary"]), tokens[:, 1:].reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.flat, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        loss.item()
        return time.perf_counter() - start

    @torch.inference_mode()
    def sample(self, rows, prompt, new):
        c = self.c
        tokens = torch.randint(0, c["vocabulary"], (rows, prompt))
        start = time.perf_counter()
        shape = (rows, c["kvHeads"], prompt + new, c["headWidth"])
        caches = [(torch.empty(shape), torch.empty(shape)) for _ in self.p["layers"]]
        at, out = 0, []
        for _ in range(new):
            length = tokens.shape[1]
            x = self.p["embedding"][tokens]
            cos, sin = self.cos[at : at + length], self.sin[at : at + length]
            for layer, (ck, cv) in zip(self.p["layers"], caches):
                def attend(q, k, v, ck=ck, cv=cv):
                    ck[:, :, at : at + length] = k
                    cv[:, :, at : at + length] = v
                    keys, values = ck[:, :, : at + length], cv[:, :, : at + length]
                    return F.scaled_dot_product_attention(q, keys, values, is_causal=length > 1, enable_gqa=True)
                x = block(c, layer, x, cos, sin, attend)
            logits = F.rms_norm(x[:, -1], (c["width"],), self.p["norm"], c["normEps"]) @ self.p["embedding"].T
            logprobs = logits.log_softmax(-1)
            at += length
            tokens = torch.multinomial(logprobs.exp(), 1)
            out.append(logprobs.gather(1, tokens))
        torch.cat(out, 1).sum().item()
        return time.perf_counter() - start


def main():
    benches = {}
    for line in sys.stdin:
        command = json.loads(line)
        name = command["do"]
        if name == "open":
            torch.set_num_threads(command["threads"])
            benches[command["model"]] = Bench(command["config"])
            answer = {"torch": torch.__version__}
        elif name == "memory":
            answer = {"bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
        else:
            answer = {"seconds": getattr(benches[command["model"]], name)(*command["arguments"])}
        print(json.dumps(answer), flush=True)


main()
