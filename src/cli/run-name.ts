/** Names that people can remember and type, for runs that were not given one. */
import { randomInt } from 'node:crypto';

const ADJECTIVES =
  'amber brisk calm clever coral crisp dapper eager early fleet gentle golden hazel jolly keen lively lucid mellow nimble plucky quiet rapid silver steady sunny swift tidy vivid warm witty'.split(
    ' ',
  );
const ANIMALS =
  'badger beaver bison crane dingo dolphin falcon ferret finch gecko heron ibex jackal koala lemur lynx marten newt ocelot otter panda puffin quokka raven seal stoat tapir turtle walrus wren'.split(
    ' ',
  );

export function newRunName(isTaken: (name: string) => boolean): string {
  const pick = (words: string[]) => words[randomInt(words.length)]!;
  for (let tries = 0; ; tries++) {
    const name = `${pick(ADJECTIVES)}-${pick(ANIMALS)}${tries > 20 ? `-${randomInt(10_000)}` : ''}`;
    if (!isTaken(name)) return name;
  }
}
