/**
 * A chat server that answers at once, or after a given time, as cheaply as it can: it looks for the end of each request and
 * nothing else, so that the client is what is measured. Prints its port.
 */
import { createServer } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
const answer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          'The answer is a short sentence of about twenty words, as replies of an agent in a tool world often are.',
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 24, total_tokens: 144 },
});
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: keep-alive\r\n';
const reply = Buffer.from(`${head}Content-Length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`);

const server = createServer({ noDelay: true }, (socket) => {
  let pending = Buffer.alloc(0);
  let wanted = -1;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      if (wanted < 0) {
        const end = pending.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = /content-length: (\d+)/i.exec(pending.latin1Slice(0, end));
        wanted = end + 4 + Number(length?.[1] ?? 0);
      }
      if (pending.length < wanted) return;
      pending = pending.subarray(wanted);
      wanted = -1;
      if (delayMs > 0) setTimeout(() => socket.write(reply), delayMs);
      else socket.write(reply);
    }
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () => console.log(server.address().port));
