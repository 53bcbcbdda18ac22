import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/** Much is made there, and some of it lives on for a while. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { keepYoungHeap } from ${JSON.stringify(join(import.meta.dirname, "young-heap.ts"))};
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
  const kept = [];
  const work = (times) => {
    for (let time = 0; time < times * 10_000; time++) kept[time % 5_000] = { time, text: \`\${time}\`, list: [time] };
  };
  work(1);
  keepYoungHeap();
  const before = size();
  work(100);
  console.log(size() <= before);
`;

test("what lives only briefly takes no more memory after a while than at the beginning", () => {
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  assert.equal(said, "true\n");
});
