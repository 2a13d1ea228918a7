"""One GRPO step with TRL's GRPOTrainer on CPU: the same model, 64 prompts, 8 completions of each, the same lengths."""
import json
import sys
import tempfile
import time

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

c = json.loads(sys.argv[1])
prompts, group, prompt_length, new, threads, steps = (int(x) for x in sys.argv[2:8])
torch.set_num_threads(threads)
torch.manual_seed(0)

vocab = {f"t{i}": i for i in range(c["vocabulary"])}
inner = Tokenizer(models.WordLevel(vocab, unk_token="t0"))
inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="t1", eos_token="t2", unk_token="t0")
model = LlamaForCausalLM(LlamaConfig(
    vocab_size=c["vocabulary"], hidden_size=c["width"], intermediate_size=c["mlpWidth"], num_hidden_layers=c["layers"],
    num_attention_heads=c["heads"], num_key_value_heads=c["kvHeads"], max_position_embeddings=c["context"],
    tie_word_embeddings=True, pad_token_id=1, eos_token_id=2, bos_token_id=None))
# Completions run to their full length, as on the other side.
model.generation_config.suppress_tokens = [2]

rows = [{"prompt": " ".join(f"t{3 + (i * 977 + t * 31) % (c['vocabulary'] - 3)}" for t in range(prompt_length))}
        for i in range(prompts * (steps + 1))]
times = []


class Clock(TrainerCallback):
    def on_step_begin(self, *_, **__):
        times.append(time.perf_counter())

    def on_step_end(self, *_, **__):
        times[-1] = time.perf_counter() - times[-1]


with tempfile.TemporaryDirectory() as folder:
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=lambda completions, **_: [float(len(set(x.split())) % 2) for x in completions],
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        callbacks=[Clock()],
        args=GRPOConfig(
            output_dir=folder, use_cpu=True, bf16=False, max_steps=steps, per_device_train_batch_size=prompts * group,
            num_generations=group, max_completion_length=new, temperature=1.0, beta=0.0, learning_rate=1e-4,
            gradient_checkpointing=False, report_to=[], save_strategy="no", logging_steps=1000, disable_tqdm=True))
    start = time.perf_counter()
    trainer.train()
    total = time.perf_counter() - start
import trl
print(json.dumps({"seconds": total / steps, "trl": trl.__version__}))
