// A reporter that ends the tests at the first failure: one is enough to kill a mutant. Needs --test-isolation=none.

export default async function* firstFailure(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.todo !== undefined) continue;
    yield `${data.file}: ${data.name}\n`;
    process.exit(1);
  }
}
