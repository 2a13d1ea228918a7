/** The report as Markdown, for a repository or an issue; its figures are files beside it. */
import type { Block, Document, Table } from './blocks.ts';
import { type Figure, isEmpty, whyEmpty } from './svg/figure.ts';

export const figureFile = ({ id }: Figure): string => `figures/${id}.svg`;

export const toMarkdown = ({ title, blocks }: Document): string =>
  `${[`# ${plain(title)}`, ...blocks.map(block)].join('\n\n')}\n`;

function block(content: Block): string {
  switch (content.kind) {
    case 'heading':
      return `## ${plain(content.text)}`;
    case 'lead':
      return plain(content.text);
    case 'facts':
      return [
        fenced(content.command),
        content.facts.map(({ name, value }) => `- ${name}: ${plain(value)}`).join('\n'),
      ].join('\n\n');
    case 'table':
      return table(content);
    case 'figure':
      return figure(content.figure);
    case 'list':
      return content.items.map((item) => `- ${plain(item)}`).join('\n');
    default:
      return content satisfies never;
  }
}

function table({ caption, head, rows, words }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  const rule = `|${head.map((_, i) => (i < words ? '---' : '---:')).join('|')}|`;
  return [plain(caption), '', line(head), rule, ...rows.map(line)].join('\n');
}

function figure(drawn: Figure): string {
  return [
    `### ${plain(drawn.title)}`,
    plain(drawn.hint),
    isEmpty(drawn) ? `*${plain(whyEmpty(drawn))}*` : `![${plain(drawn.title)}](${figureFile(drawn)})`,
  ].join('\n\n');
}

/** Text as text, on one line: nothing in it is markup, a link, HTML, an entity or the end of a table cell. */
export const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>&#|~$@]/g, (character) => `\\${character}`)
    // A bare address would become a link all the same.
    .replace(/(https?|ftp):\/\/|www\./gi, (address) => address.replace(/[:.]/, '\\$&'));

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}
