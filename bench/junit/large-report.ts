/** A report as JUnit writes it, with so many tests in files of a hundred. One test in a thousand fails, with what it said. */
export function largeReport(tests: number): string {
  const said = `<failure message="1 != 2"><![CDATA[${"at a line of a stack\n".repeat(20)}]]></failure>`;
  const cases = Array.from({ length: tests }, (_, index) => {
    const file = Math.floor(index / 100);
    const own = `name="adds ${index} and &quot;${index}&quot;" classname="suite ${file}" time="0.001" file="test/${file}.test.js"`;
    return index % 1000 === 0 ? `<testcase ${own}>${said}</testcase>` : `<testcase ${own}/>`;
  });
  return `<?xml version="1.0"?><testsuites><testsuite name="all">${cases.join("\n")}</testsuite></testsuites>`;
}
