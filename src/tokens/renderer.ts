/** Conversations as the text a model folder's own templates make of them. */
import type { Json, JsonObject, ToolSpec } from '../core/types.ts';
import type { ChatFolder } from './model-folder.ts';
import { compileTemplate, type Render } from './template.ts';
import { type TemplateMessage, templateMessages, templateTools } from './template-messages.ts';

export interface RendererOptions {
  /** The day templates write into the system's turn. Runs that must repeat give a fixed one. */
  now?: Date;
  /** What else a template reads, `enable_thinking` say. */
  variables?: JsonObject;
}

export interface Renderer {
  /** All templates in one text, to look for marks in. */
  readonly source: string;
  /** With `open`, the opening of the assistant's turn stands at the end. Throws where the template refuses. */
  render(messages: readonly TemplateMessage[], tools: readonly ToolSpec[], open: boolean): string;
}

/** Undefined where the folder has no template. */
export function rendererOf(
  { folder, templates, specialTokens }: Pick<ChatFolder, 'folder' | 'templates' | 'specialTokens'>,
  { now, variables = {} }: RendererOptions = {},
): Renderer | undefined {
  const main = templates.get('default') ?? templates.values().next().value;
  if (main === undefined) return undefined;
  const compiled = new Map<string, Render>();
  const renderOf = (source: string) => {
    const known = compiled.get(source) ?? compileTemplate(source);
    compiled.set(source, known);
    return known;
  };
  try {
    renderOf(main);
  } catch (error) {
    throw new Error(`${folder}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  const withTools = templates.get('tool_use') ?? main;
  return {
    source: withTools === main ? main : main + withTools,
    render(messages, tools, open) {
      const data: Record<string, Json> = {
        ...specialTokens,
        messages: templateMessages(messages),
        // Absent tools are none, not an empty list: templates ask `tools is not none`.
        tools: tools.length > 0 ? templateTools(tools) : null,
        documents: null,
        add_generation_prompt: open,
        ...variables,
      };
      return renderOf(tools.length > 0 ? withTools : main)(data, { now: now ?? new Date() });
    },
  };
}
