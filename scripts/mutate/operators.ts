// What a mutant changes. Each operator takes a node of the syntax tree and returns the texts that could stand in its place.
// `await` is never removed: a step that is not awaited fails or passes by chance.

import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";

export interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The expression around it that can be chosen while the program runs; none where the grammar has no room for a choice. */
  readonly within?: Span;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export function changesAt(node: Node, source: SourceFile): readonly Change[] {
  const within = expressionAround(node);
  return textsAt(node, source).map((change) =>
    within === undefined ? change : { ...change, within: { start: within.getStart(source), end: within.end } },
  );
}

/** What has to be evaluated as one: a chain of `?.` ends as a whole, and operators bind by what is around them. */
function expressionAround(node: Node): Node | undefined {
  if (is.isExpressionStatement(node)) return node.expression;
  const { parent } = node;
  if (parent === undefined || is.isTaggedTemplateExpression(parent)) return undefined;
  if (is.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === SyntaxKind.EqualsToken)
    return undefined;
  if (node.kind === SyntaxKind.QuestionDotToken) return outermost(parent, isChained);
  return is.isBinaryExpression(node) ? outermost(node, (each) => is.isBinaryExpression(each)) : node;
}

function outermost(node: Node, belongs: (parent: Node, node: Node) => boolean): Node {
  const { parent } = node;
  return parent !== undefined && belongs(parent, node) ? outermost(parent, belongs) : node;
}

function isChained(parent: Node, node: Node): boolean {
  const isLink =
    is.isPropertyAccessExpression(parent) || is.isElementAccessExpression(parent) || is.isCallExpression(parent);
  return isLink && parent.expression === node;
}

function textsAt(node: Node, source: SourceFile): readonly Change[] {
  const start = node.getStart(source);
  const text = source.text.slice(start, node.end);
  const whole = (...replacements: readonly string[]): readonly Change[] =>
    replacements.map((replacement) => ({ start, end: node.end, replacement }));

  if (isCondition(node)) return [...whole(`!(${text})`), ...inside(node, source)];
  if (isReturned(node)) return [...whole(`void (${text})`), ...inside(node, source)];
  if (isCallStatement(node)) return whole(";");
  if (node.kind === SyntaxKind.QuestionDotToken) return whole(isBeforeName(node) ? "." : "");
  return inside(node, source);
}

/** Types and imports do nothing while the program runs. What is thrown at people is a message, and no test should fix its words. */
export function isWithoutBehaviour(node: Node): boolean {
  if (is.isTypeNode(node) || is.isInterfaceDeclaration(node) || is.isTypeAliasDeclaration(node)) return true;
  if (is.isImportDeclaration(node) || is.isExportDeclaration(node)) return true;
  return is.isThrowStatement(node) || (is.isNewExpression(node) && /(?:Error|Failed)$/.test(node.expression.getText()));
}

function inside(node: Node, source: SourceFile): readonly Change[] {
  const start = node.getStart(source);
  const whole = (replacement: string): readonly Change[] => [{ start, end: node.end, replacement }];
  if (node.kind === SyntaxKind.TrueKeyword) return whole("false");
  if (node.kind === SyntaxKind.FalseKeyword) return whole("true");
  if (is.isStringLiteral(node)) return node.text === "" || isName(node) ? [] : whole('""');
  if (is.isNoSubstitutionTemplateLiteral(node) || is.isTemplateExpression(node)) return whole('""');
  if (is.isArrayLiteralExpression(node)) return node.elements.length === 0 ? [] : whole("[]");
  if (is.isBinaryExpression(node)) return operator(node.operatorToken, node, source);
  if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return isCondition(node) ? [] : whole(node.operand.getText(source));
  }
  return [];
}

const swaps: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
  "===": "!==",
  "!==": "===",
};

function operator(token: Node, node: Node, source: SourceFile): readonly Change[] {
  const start = token.getStart(source);
  const text = source.text.slice(start, token.end);
  const replacement = swaps[text];
  // Negating the whole condition is the same change.
  const isSame = isCondition(node) && (text === "===" || text === "!==");
  return replacement === undefined || isSame ? [] : [{ start, end: token.end, replacement }];
}

function isCondition(node: Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (is.isIfStatement(parent) || is.isWhileStatement(parent)) return parent.expression === node;
  return (is.isConditionalExpression(parent) || is.isForStatement(parent)) && parent.condition === node;
}

function isReturned(node: Node): boolean {
  const { parent } = node;
  if (parent === undefined || node.getText() === "undefined") return false;
  if (is.isReturnStatement(parent)) return parent.expression === node;
  return is.isArrowFunction(parent) && parent.body === node && !is.isBlock(node);
}

/** A call for its effect, awaited or yielded to. */
function isCallStatement(node: Node): boolean {
  if (!is.isExpressionStatement(node)) return false;
  const { expression } = node;
  const isWrapped = is.isAwaitExpression(expression) || is.isYieldExpression(expression);
  const call = isWrapped ? expression.expression : expression;
  return call !== undefined && is.isCallExpression(call) && call.expression.kind !== SyntaxKind.SuperKeyword;
}

function isBeforeName(token: Node): boolean {
  return token.parent !== undefined && is.isPropertyAccessExpression(token.parent);
}

/** The key of a property, as against a text. */
function isName(node: Node): boolean {
  const { parent } = node;
  return parent !== undefined && "name" in parent && parent.name === node;
}
