"""The same chat requests with the Python openai client in asyncio; prints CPU seconds and wall seconds as JSON."""
import asyncio
import json
import resource
import sys
import time

from openai import AsyncOpenAI


async def main(url: str, requests: int, concurrency: int) -> None:
    messages = json.load(sys.stdin)
    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    left = requests

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            answer = await client.chat.completions.create(
                model="bench", messages=messages, max_tokens=256, temperature=1.0, seed=7
            )
            assert answer.choices[0].message.content

    warm = min(200, requests)
    left = warm
    await asyncio.gather(*[worker() for _ in range(concurrency)])
    left = requests
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    await asyncio.gather(*[worker() for _ in range(concurrency)])
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"requests": requests, "cpuSeconds": cpu, "wallSeconds": wall}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
