/** From English to a request, or to the place where it stops being one. A recursive descent over words and commas. */
import { FACTS, type Fact, TOOLS, type Type, typeOf, VALUES, type Verb } from './lexicon.ts';
import type { Action, Clause, Filler, Place, Request } from './request.ts';
import { ARTICLE, PLACES } from './write.ts';

export const MAX_CLAUSES = 6;

/** Capitals, spaces, a comma before `and` and a full stop at the end do not matter: a request is written in one way only. */
export function read(text: string): Request | { problem: string } {
  try {
    return new Reader(text).request();
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

/** No `Error`: beginners write much that cannot be read, and nobody reads the stack traces. */
class Unreadable {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** What a correction cannot replace: words that are part of the verb. */
const FIXED: readonly Type[] = ['level', 'lodging'];

/** How requests say what is to be done: `dim` and `brighten` are said, `light` is not. */
const DEEDS = [...Object.keys(TOOLS).filter((verb) => verb !== 'light'), ...VALUES.level];

class Reader {
  private readonly words: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.words = wordsOf(text).map((word) => SPELLING.get(word.toLowerCase()) ?? word.toLowerCase());
  }

  request(): Request {
    const facts: Fact[] = [];
    for (let fact = this.fact(); fact; fact = this.fact()) {
      this.expect('.');
      facts.push(fact);
    }
    const clauses = [this.clause('then')];
    for (let place = this.place(); place; place = this.place()) {
      if (clauses.length === MAX_CLAUSES) this.fail(`at most ${MAX_CLAUSES} clauses`);
      clauses.push(this.clause(place));
    }
    const all = this.take(', all of it twice') ? 2 : 1;
    this.take('.');
    if (this.at < this.words.length) this.fail('the end');
    return { facts, clauses, all };
  }

  private clause(place: Place): Clause {
    const condition = this.take('if') ? (this.fact() ?? this.fail(oneOf(Object.values(FACTS)))) : null;
    const action = this.action();
    const correction = this.take(', no, make it') ? this.correction() : null;
    const otherwise = condition && this.take(', otherwise') ? this.action() : null;
    return { place, condition, action, correction, otherwise };
  }

  private place(): Place | undefined {
    for (const [place, words] of PLACES) if (this.take(`, ${words}`)) return place;
    return undefined;
  }

  private fact(): Fact | undefined {
    return (Object.keys(FACTS) as Fact[]).find((fact) => this.take(FACTS[fact])); // The keys of a literal.
  }

  private correction(): NonNullable<Clause['correction']> {
    const article = this.take('the');
    const word = this.next();
    const type = typeOf(word);
    if (!type || FIXED.includes(type)) this.fail('a value to make it');
    if (article !== ARTICLE.has(type)) this.fail(article ? 'something that takes an article' : `"the ${word}"`);
    this.at++;
    return { type, word };
  }

  private action(): Action {
    const verb = this.verb();
    const slots = this.slots[verb]();
    return { verb, fillers: TOOLS[verb].args.map(([name]) => slots[name]!), times: this.times() };
  }

  private verb(): Verb {
    const word = this.next();
    if (typeOf(word) === 'level') return 'light';
    if (!DEEDS.includes(word)) this.fail(oneOf(DEEDS));
    this.at++;
    return word as Verb; // A deed that is no level is a verb.
  }

  /** What follows each verb, by the names of its tool's arguments. */
  private readonly slots: Record<Verb, () => Record<string, Filler>> = {
    text: () => ({ to: this.who(), item: this.after('the', 'item') }),
    remind: () => ({ who: this.who(), day: this.after('on', 'day') }),
    book: () => ({ place: this.take('it') ? SAME : this.after('', 'city'), people: this.many('for') }),
    buy: () => ({ count: this.many(''), goods: this.after('', 'goods') }),
    light: () => ({ level: this.after('', 'level'), room: this.take('the light there') ? SAME : this.the('room') }),
    play: () => ({ music: this.after('', 'music'), room: this.where() }),
    cook: () => ({ dish: this.after('', 'dish') }),
    water: () => ({ plant: this.the('plant') }),
    wash: () => ({ garment: this.the('garment') }),
    feed: () => ({ pet: this.the('pet') }),
    find: () => ({ kind: this.after('a', 'lodging'), city: this.after('in', 'city') }),
    check: () => {
      this.expect('the door');
      return {};
    },
  };

  private who(): Filler {
    if (this.take('them')) return SAME;
    return this.take('each of') ? this.each('', 'person') : this.after('', 'person');
  }

  private where(): Filler {
    if (this.take('there')) return SAME;
    this.expect('in');
    return this.the('room');
  }

  private the(type: Type): Filler {
    return this.take('each of') ? this.each('the', type) : this.after('the', type);
  }

  private many(preposition: string): Filler {
    this.expect(preposition);
    return this.take('as many') ? SAME : this.after('', 'number');
  }

  /** `the hall, the attic and the porch`: two to four, all different. */
  private each(article: string, type: Type): Filler {
    const words: string[] = [];
    const another = () => {
      this.expect(article);
      if (words.includes(this.next())) this.fail('another one');
      if (words.length === 4) this.fail('at most four');
      words.push(this.value(type));
    };
    another();
    while (this.take(',') && this.next() !== 'and') another();
    this.expect('and');
    another();
    return { kind: 'each', words };
  }

  private times(): Action['times'] {
    if (this.take('twice')) return 2;
    if (this.take('three times')) return 3;
    return this.take('four times') ? 4 : 1;
  }

  private after(words: string, type: Type): Filler {
    this.expect(words);
    return { kind: 'value', word: this.value(type) };
  }

  private value(type: Type): string {
    const word = this.next();
    if (typeOf(word) !== type) this.fail(oneOf(VALUES[type]));
    this.at++;
    return word;
  }

  /** The word that comes next, still before us; none at the end. */
  private next(): string {
    return this.words[this.at] ?? '';
  }

  private expect(words: string): void {
    if (!this.take(words)) this.fail(`"${words}"`);
  }

  /** Whether these words come next; they are then behind us. */
  private take(words: string): boolean {
    const wanted = SPLIT.get(words) ?? wordsOf(words);
    SPLIT.set(words, wanted);
    for (let i = 0; i < wanted.length; i++) if (this.words[this.at + i] !== wanted[i]) return false;
    this.at += wanted.length;
    return true;
  }

  private fail(wanted: string): never {
    const before = this.words.slice(Math.max(0, this.at - 3), this.at).join(' ');
    const place = before ? `after "${before}"` : 'at the beginning';
    const found = this.next() ? `not "${this.next()}"` : 'but there it ends';
    const words = this.words.slice(0, this.at).filter((word) => !/[.,]/.test(word)).length;
    throw new Unreadable(`word ${words + 1}: expected ${wanted} ${place}, ${found}`);
  }
}

const SAME: Filler = { kind: 'same' };

const oneOf = (words: readonly string[]) => `one of ${words.join(', ')}`;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];

/** Values by their lower case: the only words that may need a capital. */
const SPELLING = new Map(
  Object.values(VALUES)
    .flat()
    .map((word) => [word.toLowerCase(), word] as const),
);

/** The same few phrases are looked for again and again. */
const SPLIT = new Map<string, readonly string[]>();
