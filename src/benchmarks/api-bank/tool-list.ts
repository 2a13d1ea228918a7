/** The list of tools in a system prompt: numbered, with the parameters as a Python dictionary. Read and written back alike. */
import type { JsonObject } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { isObject } from './is-object.ts';

export type Parameter = {
  /** `str`, `int`, `float`, `bool`, `list`, `list(str)`. */
  type: string;
  description: string;
};

export type Tool = {
  name: string;
  description: string;
  parameters: Record<string, Parameter>;
};

/** Levels 1 and 2 give each tool three lines; level 3 has the name and the description on one. */
export type ListStyle = 'named' | 'short';

export interface ToolList {
  style: ListStyle;
  tools: Tool[];
}

/** Undefined when the lines are no such list. */
export function readToolList(text: string): ToolList | undefined {
  const lines = text.split('\n');
  const style = lines[0]?.startsWith('1. Name: ') ? 'named' : 'short';
  const each = style === 'named' ? 3 : 2;
  if (lines.length % each !== 0) return undefined;
  const tools: Tool[] = [];
  for (let i = 0; i < lines.length; i += each) {
    const tool = readTool(lines.slice(i, i + each), style, `${tools.length + 1}. `);
    if (!tool) return undefined;
    tools.push(tool);
  }
  return { style, tools };
}

function readTool(lines: readonly string[], style: ListStyle, number: string): Tool | undefined {
  const parameters = readParameters(after(lines.at(-1), PARAMETERS));
  const first = after(lines[0], number);
  if (first === undefined || !parameters) return undefined;
  if (style === 'named') {
    const [name, description] = [after(first, NAME), after(lines[1], DESCRIPTION)];
    return name === undefined || description === undefined ? undefined : { name, description, parameters };
  }
  const colon = first.indexOf(': ');
  return colon < 0 ? undefined : { name: first.slice(0, colon), description: first.slice(colon + 2), parameters };
}

const NAME = 'Name: ';
const DESCRIPTION = 'Description: ';
const PARAMETERS = 'Parameters: ';

const after = (line: string | undefined, start: string): string | undefined =>
  line?.startsWith(start) ? line.slice(start.length) : undefined;

function readParameters(text: string | undefined): Record<string, Parameter> | undefined {
  const value = text === undefined ? undefined : pythonLiteral(text);
  return value !== undefined && isObject(value) && hasParameters(value) ? value : undefined;
}

const hasParameters = (fields: JsonObject): fields is Record<string, Parameter> =>
  Object.values(fields).every(
    (field) => isObject(field) && typeof field.type === 'string' && typeof field.description === 'string',
  );

export function writeToolList({ style, tools }: ToolList): string {
  return tools
    .map(({ name, description, parameters }, i) => {
      const head = style === 'named' ? `${NAME}${name}\n${DESCRIPTION}${description}` : `${name}: ${description}`;
      return `${i + 1}. ${head}\n${PARAMETERS}${pythonRepr(parameters)}`;
    })
    .join('\n');
}

type Texts = string | { [key: string]: Texts };

/** How Python prints texts and dictionaries of them. */
function pythonRepr(value: Texts): string {
  if (typeof value !== 'string') {
    const fields = Object.entries(value).map(([key, field]) => `${pythonRepr(key)}: ${pythonRepr(field)}`);
    return `{${fields.join(', ')}}`;
  }
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value.replace(/[\\'\0-\x1f\x7f-\xa0\xad]/g, (char) => {
    if (char === "'") return quote === "'" ? "\\'" : "'";
    return SHORT_ESCAPES.get(char) ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return quote + escaped + quote;
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
