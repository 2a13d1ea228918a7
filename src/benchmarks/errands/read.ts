/** From English to a request, or to the place where it stops being one. A recursive descent over words and commas. */
import { FACTS, type Fact, TOOLS, type Type, typeOf, VALUES, type Verb } from './lexicon.ts';
import type { Action, Clause, Filler, Place, Request } from './request.ts';
import { ARTICLE, PLACES } from './write.ts';

export const MAX_CLAUSES = 6;

export function read(text: string): Request | { problem: string } {
  try {
    return new Reader(text).request();
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

class Unreadable extends Error {}

/** What a correction cannot replace: words that are part of the verb. */
const FIXED: readonly Type[] = ['level', 'lodging'];

class Reader {
  readonly words: string[];
  at = 0;

  constructor(text: string) {
    this.words = text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
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
    if (this.at < this.words.length) this.fail('the end');
    return { facts, clauses, all };
  }

  private clause(place: Place): Clause {
    const condition = this.take('if') ? (this.fact() ?? this.fail('what must hold')) : null;
    const action = this.action();
    const correction = this.take(', no, make it') ? this.correction() : null;
    const otherwise = condition && this.take(', otherwise') ? this.action() : null;
    return { place, condition, action, correction, otherwise };
  }

  private place(): Place | undefined {
    return (Object.keys(PLACES) as Place[]).find((place) => this.take(`, ${PLACES[place]}`));
  }

  private fact(): Fact | undefined {
    return (Object.keys(FACTS) as Fact[]).find((fact) => this.take(FACTS[fact]));
  }

  private correction(): NonNullable<Clause['correction']> {
    const article = this.take('the');
    const word = this.next();
    const type = typeOf(word);
    if (!type || FIXED.includes(type) || article !== ARTICLE.has(type)) this.fail('a value to make it', -1);
    return { type, word };
  }

  private action(): Action {
    const verb = this.verb();
    const slots = this.slots[verb]();
    return { verb, fillers: TOOLS[verb].args.map(([name]) => slots[name]!), times: this.times() };
  }

  private verb(): Verb {
    const word = this.next();
    if (VALUES.level.includes(word as never)) {
      this.at--;
      return 'light';
    }
    return Object.hasOwn(TOOLS, word) && word !== 'light' ? (word as Verb) : this.fail('something to do', -1);
  }

  /** What follows each verb, by the names of its tool's arguments. */
  private readonly slots: Record<Verb, () => Record<string, Filler>> = {
    text: () => ({ to: this.who(), item: this.after('the', 'item') }),
    remind: () => ({ who: this.who(), day: this.after('on', 'day') }),
    book: () => ({ place: this.take('it') ? SAME : this.value('city'), people: this.many('for') }),
    buy: () => ({ count: this.many(), goods: this.value('goods') }),
    light: () => ({ level: this.value('level'), room: this.take('the light there') ? SAME : this.the('room') }),
    play: () => ({ music: this.value('music'), room: this.where() }),
    cook: () => ({ dish: this.value('dish') }),
    water: () => ({ plant: this.the('plant') }),
    wash: () => ({ garment: this.the('garment') }),
    feed: () => ({ pet: this.the('pet') }),
    find: () => ({ kind: this.after('a', 'lodging'), city: this.after('in', 'city') }),
    check: () => (this.take('the door') ? {} : this.fail('the door')),
  };

  private who(): Filler {
    if (this.take('them')) return SAME;
    return this.take('each of') ? this.each('person', '') : this.value('person');
  }

  private where(): Filler {
    if (this.take('there')) return SAME;
    this.expect('in');
    return this.the('room');
  }

  private the(type: Type): Filler {
    return this.take('each of') ? this.each(type, 'the') : this.after('the', type);
  }

  private many(preposition = ''): Filler {
    if (preposition) this.expect(preposition);
    return this.take('as many') ? SAME : this.value('number');
  }

  /** `the hall, the attic and the porch`: two to four, all different. */
  private each(type: Type, article: string): Filler {
    const words = [wordOf(this.after(article, type))];
    while (this.take(',')) words.push(wordOf(this.after(article, type)));
    this.expect('and');
    words.push(wordOf(this.after(article, type)));
    if (words.length > 4 || new Set(words).size < words.length) this.fail('two to four different ones', -1);
    return { kind: 'each', words };
  }

  private times(): Action['times'] {
    if (this.take('twice')) return 2;
    if (this.take('three times')) return 3;
    return this.take('four times') ? 4 : 1;
  }

  private after(words: string, type: Type): Filler {
    if (words) this.expect(words);
    return this.value(type);
  }

  private value(type: Type): Filler {
    const word = this.next();
    return typeOf(word) === type ? { kind: 'value', word } : this.fail(`one of ${VALUES[type].join(', ')}`, -1);
  }

  private next(): string {
    return this.words[this.at++] ?? this.fail('more', -1);
  }

  private expect(words: string): void {
    if (!this.take(words)) this.fail(`"${words}"`);
  }

  /** Whether these words come next; they are then behind us. */
  private take(words: string): boolean {
    const wanted = SPLIT.get(words) ?? remember(words);
    if (wanted.some((word, i) => this.words[this.at + i] !== word)) return false;
    this.at += wanted.length;
    return true;
  }

  private fail(wanted: string, back = 0): never {
    const at = this.at + back;
    const before = this.words.slice(Math.max(0, at - 3), at).join(' ');
    throw new Unreadable(`expected ${wanted} after "${before}", not "${this.words[at] ?? 'the end'}"`);
  }
}

const SAME: Filler = { kind: 'same' };

const wordOf = (filler: Filler) => (filler.kind === 'value' ? filler.word : '');

const SPLIT = new Map<string, string[]>();
function remember(words: string): string[] {
  const split = words.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
  SPLIT.set(words, split);
  return split;
}
