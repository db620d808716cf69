/*
 * Which rule rewrites which node. A node that is not listed is left as it is, and its children are rewritten.
 */

import { assignment, update } from './assignments.ts';
import { call, newExpression, taggedTemplate } from './calls.ts';
import { chain } from './chains.ts';
import { classNode, field, immediateBlock, method, namespace } from './classes.ts';
import { functionNode, returnStatement } from './functions.ts';
import { binary, identifier, member, objectExpression, property, spreadElement, unary } from './members.ts';
import type { Visitors } from './rewriter.ts';
import * as statements from './statements.ts';

const leaveAlone = () => {};

export const RULES: Visitors = {
  Identifier: identifier,
  MemberExpression: member,
  ChainExpression: chain,
  UnaryExpression: unary,
  BinaryExpression: binary,
  ObjectExpression: objectExpression,
  Property: property,
  SpreadElement: spreadElement,
  AssignmentExpression: assignment,
  UpdateExpression: update,
  CallExpression: call,
  NewExpression: newExpression,
  TaggedTemplateExpression: taggedTemplate,
  SequenceExpression: statements.sequence,
  ConditionalExpression: statements.conditional,
  LogicalExpression: statements.logical,
  ParenthesizedExpression: statements.transparent,
  TSAsExpression: statements.transparent,
  TSSatisfiesExpression: statements.transparent,
  TSNonNullExpression: statements.transparent,
  TSTypeAssertion: statements.transparent,
  TSInstantiationExpression: statements.transparent,
  AwaitExpression: statements.awaitExpression,
  YieldExpression: statements.yieldExpression,
  FunctionDeclaration: functionNode,
  FunctionExpression: functionNode,
  ArrowFunctionExpression: functionNode,
  ReturnStatement: returnStatement,
  ClassDeclaration: classNode,
  ClassExpression: classNode,
  MethodDefinition: method,
  PropertyDefinition: field,
  AccessorProperty: field,
  StaticBlock: immediateBlock,
  TSModuleBlock: immediateBlock,
  TSModuleDeclaration: namespace,
  ExpressionStatement: statements.expressionStatement,
  BlockStatement: statements.block,
  SwitchCase: statements.switchCase,
  VariableDeclaration: statements.variableDeclaration,
  ForStatement: statements.forStatement,
  WhileStatement: statements.whileStatement,
  DoWhileStatement: statements.whileStatement,
  ForInStatement: statements.forIn,
  ForOfStatement: statements.forOf,
  LabeledStatement: statements.labeled,
  TryStatement: statements.tryStatement,
  ExportDefaultDeclaration: statements.exportDefault,
  // In `with`, any name may be a property of its object.
  WithStatement: leaveAlone,
  Decorator: leaveAlone,
  MetaProperty: leaveAlone,
  BreakStatement: leaveAlone,
  ContinueStatement: leaveAlone,
  ImportDeclaration: leaveAlone,
  ExportAllDeclaration: leaveAlone,
  ExportSpecifier: leaveAlone,
  TSEnumDeclaration: leaveAlone,
  JSXIdentifier: leaveAlone,
};
