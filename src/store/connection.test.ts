import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { StoreError } from './errors.ts';
import { tempFolder } from './fixtures.ts';
import { migrate, versionOf } from './schema.ts';

function open(): Connection {
  return new Connection(join(tempFolder(), 'x.sqlite'), 10);
}

it('undoes a transaction that runs out of disk, and says so', () => {
  using db = open();
  db.exec('CREATE TABLE t (a TEXT) STRICT; INSERT INTO t VALUES (1); PRAGMA max_page_count = 20');
  const fill = () => {
    for (let i = 0; i < 1000; i++) db.run('INSERT INTO t VALUES (?)', ['x'.repeat(1000)]);
  };
  expect(() => db.transaction('immediate', fill)).toThrow(/The disk is full.*rolled back/);
  expect(db.get('SELECT count(*) AS n FROM t')).toEqual({ n: 1 });
  db.transaction('immediate', () => db.run('INSERT INTO t VALUES (?)', ['after']));
});

it('undoes a transaction whose body throws', () => {
  using db = open();
  db.exec('CREATE TABLE t (a TEXT) STRICT');
  expect(() =>
    db.transaction('immediate', () => {
      db.run('INSERT INTO t VALUES (?)', ['x']);
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(db.all('SELECT a FROM t')).toEqual([]);
});

it('refuses text that the file could not give back', () => {
  using db = open();
  db.exec('CREATE TABLE t (a TEXT) STRICT');
  for (const text of ['a\0b', '\ud800', 'x\udc00']) {
    expect(() => db.run('INSERT INTO t VALUES (?)', [text])).toThrow(StoreError);
  }
  const fine = 'é 漢字 😀 \u0001 \u001f \u007f \ufffe';
  db.run('INSERT INTO t VALUES (?)', [fine]);
  expect(db.get('SELECT a FROM t')).toEqual({ a: fine });
});

it('refuses to be used once closed, and closes twice', () => {
  const db = open();
  db.get('SELECT 1');
  db[Symbol.dispose]();
  db[Symbol.dispose]();
  expect(() => db.get('SELECT 1')).toThrow(/was closed/);
});

it('migrates step by step, and only what is missing', () => {
  using db = open();
  const first = 'CREATE TABLE a (x INTEGER) STRICT';
  migrate(db, [first]);
  migrate(db, [first, 'CREATE TABLE b (x INTEGER) STRICT', 'DROP TABLE a']);
  migrate(db, [first, 'CREATE TABLE b (x INTEGER) STRICT', 'DROP TABLE a']);
  expect(versionOf(db)).toBe(3);
  expect(db.all('SELECT name FROM sqlite_master')).toEqual([{ name: 'b' }]);
});
