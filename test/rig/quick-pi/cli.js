// A stand-in for pi that starts in a tenth of its time, for tests that need an agent and are not about pi. It takes pi's command
// line, holds the same conversation with the scripted model and writes the same records, for what most plays use: texts and the
// tools read, ls, write, edit and bash. It loads no extension: the guard of test-first tasks is not there. It refuses everything
// else it does not know. like-pi.test.ts compares it with pi.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

// An import of it would load all that http only offers, a WebSocket among it, and take longer than all the rest.
const { request } = process.getBuiltinModule("node:http");
const args = process.argv.slice(2);
const { providers } = JSON.parse(readFileSync(join(process.env["PI_CODING_AGENT_DIR"] ?? "", "models.json"), "utf8"));
const [[provider, { baseUrl, models }]] = Object.entries(providers);
const [model] = models;

const flags = [
  ...["--mode", "json", "-p", "--no-session", "--no-extensions", "--no-skills", "--no-prompt-templates"],
  ...["--no-themes", "--no-context-files", "--no-approve"],
];
const valued = ["--thinking", "--system-prompt", "--append-system-prompt", "--tools", "--model", "--skill", "-e"];

if (args.includes("--list-models")) {
  console.log(`provider  model\n${provider}  ${model.id}`);
} else if (args.includes("rpc")) {
  tell({ type: "response", command: "get_state", success: true, data: { model: { ...model, provider } } });
} else {
  const options = optionsOf(args);
  const prompt = readFileSync(0, "utf8").trim();
  await converse(options, [{ role: "user", content: prompt }]);
}

/** @param {readonly string[]} words */
function optionsOf(words) {
  const rest = words.slice(flags.length);
  if (flags.some((flag, index) => words[index] !== flag)) refuse(`to be called with ${words.join(" ")}`);
  const options = {};
  while (rest.length > 0) {
    const name = rest.shift();
    if (name === "--no-tools") continue;
    if (!valued.includes(name)) refuse(`the option ${name}`);
    options[name] = rest.shift();
  }
  const asked = options["--model"];
  if (asked !== undefined && asked !== `${provider}/${model.id}`) refuse(`the model ${asked}`);
  return options;
}

/** @returns {never} */
function refuse(what) {
  console.error(`The quick pi does not know ${what}. Give this test the real one: openCli(context, { pi: "real" })`);
  process.exit(70);
}

async function converse(options, messages) {
  const system = ["--system-prompt", "--append-system-prompt"].map((name) => readFileSync(options[name], "utf8"));
  const tools = (options["--tools"] ?? "")
    .split(",")
    .filter(Boolean)
    .map((name) => ({ name }));
  tell({ type: "agent_start" });
  for (;;) {
    tell({ type: "turn_start" });
    const body = { model: model.id, system: system.join("\n"), messages, tools, stream: true };
    const { content, stopReason } = await turn(body);
    const calls = content.filter(({ type }) => type === "toolCall");
    if (stopReason === "length") refuse("an answer that was cut");
    if (calls.length === 0) break;
    const results = [];
    for (const call of calls) results.push(await use(call, tools));
    messages.push({ role: "assistant", content: content.map(sent) }, { role: "user", content: results });
  }
  tell({ type: "agent_end" });
  tell({ type: "agent_settled" });
}

function sent(block) {
  if (block.type === "text") return block;
  return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
}

function tell(record) {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

/** One answer of the model: its frames as pi's records while they come. */
async function turn(body) {
  const message = { role: "assistant", content: [], provider, model: model.id, usage: undefined };
  const tokens = {};
  const takers = {
    message_start({ message: { usage } }) {
      Object.assign(tokens, usage);
    },
    content_block_start({ content_block: block }) {
      if (message.content.length === 0)
        tell({ type: "message_start", message: { ...message, usage: usageOf(tokens) } });
      const call = { type: "toolCall", id: block.id, name: block.name, json: "" };
      message.content.push(block.type === "text" ? { type: "text", text: "" } : call);
    },
    content_block_delta({ index, delta }) {
      const block = message.content[index];
      if (block.type === "text") block.text += delta.text;
      else block.json += delta.partial_json;
      const assistantMessageEvent = { contentIndex: index, delta: delta.text ?? delta.partial_json };
      tell({ type: "message_update", usage: usageOf(tokens), assistantMessageEvent });
    },
    content_block_stop({ index }) {
      const { json, ...block } = message.content[index];
      if (json !== undefined) message.content[index] = { ...block, arguments: JSON.parse(json) };
    },
    message_delta({ delta, usage }) {
      Object.assign(tokens, usage);
      message.stopReason = { end_turn: "stop", tool_use: "toolUse", max_tokens: "length" }[delta.stop_reason];
    },
    message_stop() {
      message.usage = usageOf(tokens);
    },
  };
  await post(body, (frame) => takers[frame.type](frame));
  if (message.usage === undefined) refuse("an answer that broke off");
  tell({ type: "message_end", message });
  return message;
}

function usageOf({ input_tokens: input, output_tokens: output, cache_read_input_tokens, cache_creation_input_tokens }) {
  const counts = { input, output, cacheRead: cache_read_input_tokens, cacheWrite: cache_creation_input_tokens };
  const cost = Object.fromEntries(
    Object.entries(counts).map(([kind, count]) => [kind, (count * model.cost[kind]) / 1e6]),
  );
  const total = Object.values(cost).reduce((sum, part) => sum + part, 0);
  return { ...counts, cost: { ...cost, total } };
}

function post(body, take) {
  return new Promise((done) => {
    const call = request(`${baseUrl}/v1/messages`, { method: "POST", agent: false }, (response) => {
      if (response.statusCode !== 200) refuse(`the status ${response.statusCode}`);
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => {
        const frames = `${text}${piece}`.split("\n\n");
        text = frames.pop() ?? "";
        for (const frame of frames) take(JSON.parse(frame.replace(/^event: .*\ndata: /, "")));
      });
      response.on("error", () => refuse("an answer that broke off")).on("end", done);
    });
    call.on("error", (problem) => refuse(`a model that is not there (${problem.message})`));
    call.end(JSON.stringify(body));
  });
}

async function use({ id, name, arguments: given }, tools) {
  tell({ type: "tool_execution_start", toolCallId: id, toolName: name, args: given });
  const known = tools.some((tool) => tool.name === name);
  const [text, isError] = known ? await uses(name)(given) : [`Tool ${name} not found`, true];
  const content = [{ type: "text", text }];
  tell({ type: "tool_execution_end", toolCallId: id, toolName: name, result: { content }, isError });
  tell({ type: "message_end", message: { role: "toolResult", toolCallId: id, toolName: name, content, isError } });
  return { type: "tool_result", tool_use_id: id, content, is_error: isError };
}

function uses(name) {
  const known = {
    async read({ path }) {
      return [readFileSync(resolve(path), "utf8"), false];
    },
    async ls({ path = "." }) {
      const entries = readdirSync(resolve(path), { withFileTypes: true });
      const names = entries.map((entry) => `${entry.name}${entry.isDirectory() ? "/" : ""}`);
      return [names.sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())).join("\n"), false];
    },
    async write({ path, content }) {
      mkdirSync(dirname(resolve(path)), { recursive: true });
      writeFileSync(resolve(path), content);
      return [`Successfully wrote to ${path}`, false];
    },
    async edit({ path, edits }) {
      let text = readFileSync(resolve(path), "utf8");
      for (const { oldText, newText } of edits) {
        if (text.split(oldText).length !== 2) throw new Error(`Could not find the exact text in ${path}.`);
        text = text.replace(oldText, () => newText);
      }
      writeFileSync(resolve(path), text);
      return [`Successfully replaced ${edits.length} block(s) in ${path}.`, false];
    },
    bash: ({ command }) => shell(command),
  }[name];
  if (known === undefined) refuse(`the tool ${name}`);
  return async (given) => known(given).catch((problem) => [problem.message, true]);
}

function shell(command) {
  return new Promise((done) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece) => (text += piece));
    child.on("close", (code) => {
      const output = text || "(no output)";
      done(code === 0 ? [output, false] : [`${text}\n\nCommand exited with code ${code}`, true]);
    });
  });
}
