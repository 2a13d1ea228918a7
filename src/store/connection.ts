/**
 * One connection to SQLite, with the driver's traps shut: parameters are always bound as a list (a lone object panics the
 * driver, as does a boolean), text that would come back changed is refused, statements are prepared once, and every
 * query runs to its end. The last point matters: a half-read statement pins a snapshot, stops checkpoints and shows later
 * queries stale rows, so streams read page by page (see `stream.ts`).
 */
import Driver from 'libsql';
import { explain, StoreError } from './errors.ts';

export type Value = string | number | null | Uint8Array;
type Statement = ReturnType<InstanceType<typeof Driver>['prepare']>;

/** NUL ends a text early in the driver; a lone surrogate has no UTF-8. JSON escapes both, so only bare names can fail. */
const UNSTORABLE = /[\0\ud800-\udfff]/u;

export class Connection implements Disposable {
  readonly file: string;
  readonly #driver: InstanceType<typeof Driver>;
  readonly #statements = new Map<string, Statement>();
  #open = true;

  constructor(file: string, timeoutMs: number) {
    this.file = file;
    this.#driver = this.#explained(() => new Driver(file, { timeout: timeoutMs }));
  }

  exec(sql: string): void {
    this.#explained(() => this.#live().exec(sql));
  }

  /** Returns the row id of the last insert. */
  run(sql: string, values: readonly Value[]): number {
    checkText(values);
    return this.#explained(() => Number(this.#prepared(sql).run(values).lastInsertRowid));
  }

  /** The caller names the row's type: tables are STRICT, so the schema vouches for it. */
  all<Row>(sql: string, values: readonly Value[] = []): Row[] {
    checkText(values);
    return this.#explained(() => this.#prepared(sql).all(values) as Row[]);
  }

  get<Row extends object>(sql: string, values: readonly Value[] = []): Row | undefined {
    checkText(values);
    const found = this.#explained(() => this.#prepared(sql).get(values) as (Row & { _metadata?: unknown }) | undefined);
    if (!found) return undefined;
    // The driver adds timings of its own to a single row.
    const { _metadata, ...row } = found;
    return row as unknown as Row;
  }

  /** All of `body` or nothing of it. */
  transaction<T>(mode: 'deferred' | 'immediate', body: () => T): T {
    this.exec(`BEGIN ${mode}`);
    try {
      const result = body();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk or an I/O error has already rolled back by itself.
      if (this.#driver.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** The driver's own close waits for the collector to take its statements; until then we refuse to use them. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    // What is in progress, such as the run's lock, must not wait for that.
    if (this.#driver.inTransaction) this.exec('ROLLBACK');
    this.#open = false;
    this.#statements.clear();
    this.#driver.close();
  }

  #live(): InstanceType<typeof Driver> {
    if (!this.#open) throw new StoreError('closed', `${this.file} was closed; open the run again to use it.`);
    return this.#driver;
  }

  #prepared(sql: string): Statement {
    const driver = this.#live();
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = driver.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #explained<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw explain(error, this.file);
    }
  }
}

function checkText(values: readonly Value[]): void {
  for (const value of values) {
    if (typeof value === 'string' && UNSTORABLE.test(value)) {
      throw new StoreError(
        'invalid',
        `${JSON.stringify(value.slice(0, 80))} can't be a name in a run, or be looked for: it has a NUL or half a surrogate pair.`,
      );
    }
  }
}
