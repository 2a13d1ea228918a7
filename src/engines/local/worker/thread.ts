/** The entry of a worker thread: messages in, results out, errors as results. */
import { parentPort, workerData } from 'node:worker_threads';
import { Compute } from './compute.ts';
import { throughGate } from './gate.ts';
import type { FromWorker, ThreadData, ToWorker } from './protocol.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
// The pool passes exactly this.
const { gate, index, ...options } = workerData as ThreadData;
const compute = new Compute({ ...options, guard: (work) => throughGate(gate, index, work) });
const running = new Map<number, AbortController>();

port.on('message', async (message: ToWorker) => {
  const { id } = message;
  const reply = (answer: FromWorker) => port.postMessage(answer);
  if (message.call === 'abort') {
    running.get(id)?.abort();
    return;
  }
  try {
    if (message.call === 'close') {
      await compute[Symbol.asyncDispose]();
      reply({ id, result: undefined });
      port.close();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    reply({ id, result: await compute.call(message.call, message.argument, controller.signal) });
  } catch (error) {
    reply({ id, error });
  } finally {
    running.delete(id);
  }
});
