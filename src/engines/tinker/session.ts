/** Our session with a server: made when first needed, kept alive, and made anew when the server has forgotten it. */
import { Fault } from './fault.ts';
import type { Asking, Server } from './server.ts';

/** The release of the Python SDK whose protocol this is: servers ask. */
const SDK_VERSION = '0.25.0';

export interface OpenSession {
  id: string;
  /** Counters that the protocol wants, unique in a session. */
  nextModel(): number;
  nextSampler(): number;
}

export interface Session extends Disposable {
  current(asking?: Asking): Promise<OpenSession>;
  /** The server does not know this one any more. */
  lost(id: string): void;
}

export function openSession(server: Server, metadata: Record<string, string> = {}): Session {
  let opening: Promise<OpenSession> | undefined;
  let known: string | undefined;
  const open = async (asking: Asking): Promise<OpenSession> => {
    const body = { tags: ['genenv'], user_metadata: metadata, sdk_version: SDK_VERSION, type: 'create_session' };
    const { session_id: id } = ((await server.post('create_session', body, asking)) ?? {}) as { session_id?: unknown };
    if (typeof id !== 'string') throw new Fault('refused', 'create_session gave no session_id');
    let models = 0;
    let samplers = 0;
    known = id;
    return { id, nextModel: () => models++, nextSampler: () => samplers++ };
  };
  const lost = (id: string) => {
    if (known !== id) return;
    known = undefined;
    opening = undefined;
  };
  const beat = setInterval(() => {
    const id = known;
    if (id === undefined) return;
    server.tell('session_heartbeat', { session_id: id, type: 'session_heartbeat' }).catch((error) => {
      // Anything else is met, and waited out, by whoever needs the server next.
      if (error instanceof Fault && error.kind === 'lost') lost(id);
    });
  }, server.times.heartbeat);
  beat.unref();
  return {
    current(asking = {}) {
      opening ??= open(asking).catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    lost,
    [Symbol.dispose]: () => clearInterval(beat),
  };
}
