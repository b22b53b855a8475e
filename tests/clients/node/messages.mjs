// The TypeScript SDK against a server. Arguments: the base URL, the model, what to do. Prints what it got, as JSON.
import Anthropic from "@anthropic-ai/sdk";

const [baseURL, model, what] = process.argv.slice(2);
const client = new Anthropic({ baseURL, apiKey: "offline", maxRetries: 0 });
const ask = {
  model,
  max_tokens: 1024,
  messages: [{ role: "user", content: "Which files are in this directory?" }],
  tools: [
    {
      name: "list_files",
      description: "Lists the files of a folder.",
      input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
};

async function loop() {
  const messages = [...ask.messages];
  for (;;) {
    const reply = await client.messages.create({ ...ask, messages });
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason !== "tool_use") return messages;
    const results = reply.content
      .filter((block) => block.type === "tool_use")
      .map((call) => ({ type: "tool_result", tool_use_id: call.id, content: "package.json\nREADME.md" }));
    messages.push({ role: "user", content: results });
  }
}

const actions = {
  create: () => client.messages.create(ask),
  stream: () => client.messages.stream(ask).finalMessage(),
  events: async () => {
    const types = [];
    for await (const event of await client.messages.create({ ...ask, stream: true })) types.push(event.type);
    return types;
  },
  loop,
  error: async () => {
    try {
      await client.messages.create({ ...ask, messages: [] });
      return "no error";
    } catch (error) {
      return {
        typed: error instanceof Anthropic.BadRequestError,
        status: error.status,
        id: error.requestID,
        body: error.error,
      };
    }
  },
};

console.log(JSON.stringify(await actions[what]()));
