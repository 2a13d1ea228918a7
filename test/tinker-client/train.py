"""Trains a model on `genenv serve` with the official Tinker client: every line below is what its users write.

Needs TINKER_BASE_URL and TINKER_API_KEY. Prints one JSON object; leaves with an error when something is not as it should be.
"""

import json
import sys

import tinker
from tinker import types

SENTENCE = "the agent solves the task and the environment writes the next one"


def datum(tokens, prompt):
    """Inputs, and targets one later; the prompt carries no weight."""
    weights = [0.0] * (prompt - 1) + [1.0] * (len(tokens) - prompt)
    return types.Datum(
        model_input=types.ModelInput.from_ints(tokens[:-1]),
        loss_fn_inputs={"target_tokens": tokens[1:], "weights": weights},
    )


def expect(claim, what):
    if not claim:
        sys.exit(f"not as it should be: {what}")


service = tinker.ServiceClient()
[model] = [m.model_name for m in service.get_server_capabilities().supported_models]
trainer = service.create_lora_training_client(base_model=model, rank=8, seed=7)
info = trainer.get_info()
expect(info.is_lora and info.lora_rank == 8, f"get_info says {info}")
tokenizer = trainer.get_tokenizer()
tokens = tokenizer.encode(SENTENCE, add_special_tokens=False)
expect(tokenizer.decode(tokens) == SENTENCE, "the tokenizer gives its text back")

# Supervised: the loss falls.
batch = [datum(tokens, 2)] * 4
losses = []
for step in range(60):
    computed = trainer.forward_backward(batch, "cross_entropy")
    stepped = trainer.optim_step(types.AdamParams(learning_rate=0.01))
    losses.append(computed.result().metrics["loss:sum"] / (4 * (len(tokens) - 2)))
    stepped.result()
expect(losses[-1] < 0.3 * losses[0], f"the loss falls: {losses[0]:.3f} -> {losses[-1]:.3f}")

# Sampling from the weights as they are now; what is trained later does not change them.
sampler = trainer.save_weights_and_get_sampling_client()
params = types.SamplingParams(max_tokens=len(tokens) - 2, temperature=0.0, seed=1)
prompt = types.ModelInput.from_ints(tokens[:2])
sampled = sampler.sample(prompt, num_samples=2, sampling_params=params).result()
text = tokenizer.decode(list(sampled.sequences[0].tokens))
expect(sampled.sequences[0].tokens == tokens[2:], f"it has learned its sentence: {text!r}")
expect(len(sampled.sequences[0].logprobs) == len(tokens) - 2, "a log-prob a token")
scored = sampler.compute_logprobs(types.ModelInput.from_ints(tokens)).result()
expect(scored[0] is None and len(scored) == len(tokens), "the first token has no log-prob")
computed = trainer.forward(batch[:1], "cross_entropy").result()
trained = computed.loss_fn_outputs[0]["logprobs"].tolist()
gap = max(abs(a - b) for a, b in zip(scored[2:], trained[1:]))
expect(gap < 1e-4, f"sampling and training agree on log-probs (they differ by {gap})")

# Saved, trained further, loaded into another model: the log-probs of the moment of saving.
path = trainer.save_state("first").result().path
for _ in range(3):
    trainer.forward_backward(batch, "cross_entropy")
    trainer.optim_step(types.AdamParams(learning_rate=0.01)).result()
loaded = service.create_training_client_from_state_with_optimizer(path)
again = loaded.forward(batch[:1], "cross_entropy").result().loss_fn_outputs[0]["logprobs"].tolist()
expect(again == trained, "a loaded model has the log-probs of the saved one")
later = sampler.sample(prompt, num_samples=1, sampling_params=params).result()
expect(later.sequences[0].tokens == sampled.sequences[0].tokens, "an old version samples as before")

# Reinforcement: what is rewarded becomes likelier.
advantages = [0.0] + [1.0] * (len(tokens) - 2)
reinforced = types.Datum(
    model_input=types.ModelInput.from_ints(tokens[:-1]),
    loss_fn_inputs={"target_tokens": tokens[1:], "logprobs": again, "advantages": advantages},
)
for loss in ("importance_sampling", "ppo"):
    loaded.forward_backward([reinforced], loss).result()
loaded.optim_step(types.AdamParams(learning_rate=0.001, grad_clip_norm=1.0)).result()
after = loaded.forward(batch[:1], "cross_entropy").result().loss_fn_outputs[0]["logprobs"].tolist()
expect(sum(after[1:]) > sum(again[1:]), "what is rewarded becomes likelier")

# A named sampler checkpoint.
named = loaded.save_weights_for_sampler("to-sample").result().path
other = service.create_sampling_client(model_path=named)
expect(len(other.sample(prompt, 1, params).result().sequences) == 1, "a checkpoint can be sampled from")
expect(other.get_base_model() == model, "a sampler knows its base")

# Refusals reach the user as what they are.
try:
    trainer.forward_backward(batch, "dro").result()
    sys.exit("not as it should be: an unknown loss was accepted")
except tinker.APIStatusError as error:
    expect("is not offered" in str(error), f"the reason reaches the user: {error}")
trainer.forward(batch[:1], "cross_entropy").result()

print(
    json.dumps(
        {
            "client": tinker.__version__,
            "model": model,
            "loss": {"first": losses[0], "last": losses[-1]},
            "sample": text,
            "checkpoint": path,
        }
    )
)
