// The Agent SDK for TypeScript against a server. Arguments: the program, maxTurns (0: none), the prompt, the tool's name.
// Where the server is stands in the environment. Prints the messages that query() gave, as JSON.
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const [program, maxTurns, prompt, name] = process.argv.slice(2);
const files = { content: [{ type: "text", text: "package.json\nREADME.md" }] };
const offered = tool(name, "A tool of the course.", { path: z.string().optional() }, async () => files);
const options = {
  pathToClaudeCodeExecutable: program,
  settingSources: [],
  tools: [],
  mcpServers: { course: createSdkMcpServer({ name: "course", tools: [offered] }) },
  allowedTools: [`mcp__course__${name}`],
  ...(maxTurns === "0" ? {} : { maxTurns: Number(maxTurns) }),
};

const messages = [];
let error = null;
try {
  for await (const message of query({ prompt, options })) messages.push(message);
} catch (caught) {
  error = String(caught);
}
console.log(JSON.stringify({ messages, error }));
