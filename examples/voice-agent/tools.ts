/**
 * The actions that the model may take. Each tool acts for the caller of its own call: no words of a caller let the
 * model text other people, or read other people's data.
 */
import { type Dialplane, DialplaneError, type PhoneNumber } from '@dialplane/sdk';

/** The call that a tool acts for. */
export type ToolCall = {
  client: Dialplane;
  callId: string;
  caller: string;
  number: PhoneNumber;
  /** The person or place for callers who ask for a person. */
  person: string;
  /** Resolves when the caller has heard the model's words; with false if the caller has interrupted them. */
  heard(): Promise<boolean>;
  transfer(to: string): Promise<void>;
};
type Arguments = Readonly<Record<string, unknown>>;
/** `run` returns the text for the model, or undefined if the model has nothing more to say. */
type Tool = {
  description: string;
  properties: Record<string, { type: 'string'; description: string }>;
  run(call: ToolCall, given: Arguments, id: string): Promise<unknown>;
};

const INTERRUPTED = { result: 'not done: the caller has interrupted you' };

const TOOLS: Record<string, Tool> = {
  transfer_to_person: {
    description: 'Connects the caller with a person. Say so first.',
    properties: {},
    run: async (call) => ((await call.heard()) ? call.transfer(call.person) : INTERRUPTED),
  },
  hang_up: {
    description: 'Ends the call. Say goodbye first.',
    properties: {},
    run: async ({ client, callId, heard }) => {
      if (!(await heard())) return INTERRUPTED;
      await client.calls.hangUp(callId);
      return undefined;
    },
  },
  send_text: {
    description: 'Sends a text message to the caller, such as an address or a link. Ask the caller before.',
    properties: { body: { type: 'string', description: 'The text, in at most 300 characters' } },
    run: async ({ client, callId, caller, number }, { body }, id) => {
      const text = { from: number.id, to: caller, body: String(body ?? '') };
      // The model may be asked twice, after a failure. The text is sent once.
      await client.messages.send(text, { idempotencyKey: `${callId}-${id}` });
      return { result: 'sent' };
    },
  },
  look_up_caller: {
    description: 'Returns who the caller is by its number, if the business knows it.',
    properties: {},
    run: async ({ client, caller, number }) => {
      const of = { tenant_id: number.tenant_id, phone_number: caller, limit: 1 };
      const [contact] = (await client.contacts.list(of)).data;
      if (contact === undefined) return { result: 'unknown caller' };
      const { name, company, email, metadata } = contact;
      return { name, company, email, ...metadata };
    },
  },
};

/** The tools in the form that the model receives. */
export const toolList = Object.entries(TOOLS).map(([name, { description, properties }]) => ({
  type: 'function',
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
}));

/**
 * Runs a tool. A refusal of the API and an unknown tool become a text for the model, which tells the caller. Other
 * failures are thrown.
 */
export async function runTool(
  call: ToolCall,
  { name, args, id }: { name: string; args: string; id: string },
): Promise<unknown> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return { error: `there is no tool ${name}` };
  try {
    return await tool.run(call, readArguments(args), id);
  } catch (error) {
    // Without a status the server was not reached.
    if (DialplaneError.is(error) && error.status !== undefined && error.status < 500) {
      return { error: error.code, message: error.message };
    }
    throw error;
  }
}

/** A model may write arguments that are not JSON. */
function readArguments(text: string): Arguments {
  try {
    const value = JSON.parse(text) as Arguments | null;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
