/** The newest notes of one kind, however many others there are. */
import type { Connection } from './connection.ts';
import type { NoteRow } from './reader.ts';

/** Newest first. */
export function lastNotes(db: Connection, kind: string, limit: number): NoteRow[] {
  return db
    .all<NoteRow>(
      'SELECT row, kind, epoch, detail, time_ms AS timeMs FROM notes WHERE kind = ? ORDER BY row DESC LIMIT ?',
      [kind, limit],
    )
    .map((note) => ({ ...note, detail: JSON.parse(note.detail) }));
}
