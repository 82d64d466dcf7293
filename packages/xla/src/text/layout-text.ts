/**
 * Parser of layout text (ParseLayout in xla/hlo/parser/hlo_parser.cc). Layout.toString is the printer.
 *
 *     layout := '{' [int (',' int)*] [':' [D(..)] ['T' tile+] [L(n)] [#(type)] [*(type)] [E(n)] [S(n)] ['SC' split+] [P(shape)] [M(n)]] '}'
 *     tile   := '(' (int | '*') (',' (int | '*'))* ')'             split := '(' int ':' int (',' int)* ')'
 *     D      := 'D' '(' level (',' level)* ')'                     level := ('D' | 'C' | 'S' | 'H') ['+'] ['~']
 *
 * The properties appear in this order, each at most once. The sparse ones, D, #, * and P, are parsed so that text of 2022
 * to 2025 can be printed again unchanged; the validators refuse them.
 */
import { isStatusError } from "@onebuffer/base";
import type { DimLevelType } from "../model/dim-level-type.ts";
import { dimLevelTypeOfLetter } from "../model/dim-level-type.ts";
import type { LayoutOptions, PhysicalShape } from "../model/layout.ts";
import { Layout } from "../model/layout.ts";
import type { PrimitiveType } from "../type/primitive-type.ts";
import { isPrimitiveTypeName, primitiveTypeFromName } from "../type/primitive-type.ts";
import { SplitConfig } from "../model/split-config.ts";
import type { TextLexer } from "./text-lexer.ts";
import { kCombineDimension, Tile } from "../model/tile.ts";

/** Parses the shape in `P(..)`. The shape parser passes this function in. */
export type ReadShape = () => PhysicalShape;

/** Parses a layout; the current token is its `{`. Throws INVALID_ARGUMENT with the column of the error. */
export function readLayout(lexer: TextLexer, readShape: ReadShape): Layout {
  const { start } = lexer.current;
  lexer.expect("{", "to open a layout");
  const minorToMajor: number[] = [];
  if (lexer.current.kind === "integer") {
    do minorToMajor.push(lexer.expectInteger("a dimension number"));
    while (lexer.takeIf(","));
  }
  const options = lexer.takeIf(":") ? readProperties(lexer, readShape) : {};
  if (!lexer.takeIf("}")) throw lexer.unexpected("'}' (the order of a layout's properties is D T L # * E S SC P M)");
  return errorsAt(lexer, start, () => new Layout(minorToMajor, options));
}

/** Runs `make`. If it throws a StatusError, throws an error with the same message that points at `start` in the text. */
export function errorsAt<T>(lexer: TextLexer, start: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    throw lexer.error(error.message, start, error);
  }
}

function readProperties(lexer: TextLexer, readShape: ReadShape): LayoutOptions {
  const options: { -readonly [K in keyof LayoutOptions]: LayoutOptions[K] } = {};
  if (takeName(lexer, "D")) Object.assign(options, readLevels(lexer));
  if (takeName(lexer, "T")) options.tiles = readAll(lexer, "a tile", readTile);
  if (takeName(lexer, "L"))
    options.tailPaddingAlignmentInElements = inParentheses(lexer, () => lexer.expectInteger("a tail padding alignment"));
  if (lexer.takeIf("#")) options.indexPrimitiveType = inParentheses(lexer, () => readType(lexer));
  if (lexer.takeIf("*")) options.pointerPrimitiveType = inParentheses(lexer, () => readType(lexer));
  if (takeName(lexer, "E")) options.elementSizeInBits = inParentheses(lexer, () => lexer.expectInteger("an element size"));
  if (takeName(lexer, "S")) options.memorySpace = inParentheses(lexer, () => lexer.expectInteger("a memory space"));
  if (takeName(lexer, "SC")) options.splitConfigs = readAll(lexer, "a split config", readSplit);
  if (takeName(lexer, "P")) options.physicalShape = inParentheses(lexer, readShape);
  if (takeName(lexer, "M"))
    options.dynamicShapeMetadataPrefixBytes = inParentheses(lexer, () => lexer.expectInteger("a count of prefix bytes"));
  return options;
}

function takeName(lexer: TextLexer, name: string): boolean {
  if (!lexer.atName(name)) return false;
  lexer.take();
  return true;
}

function inParentheses<T>(lexer: TextLexer, read: () => T): T {
  lexer.expect("(", "after a layout's property");
  const value = read();
  lexer.expect(")", "to close a layout's property");
  return value;
}

/** Parses one or more items, each in parentheses, with nothing between them. */
function readAll<T>(lexer: TextLexer, what: string, read: (lexer: TextLexer) => T): T[] {
  if (!lexer.at("(")) throw lexer.unexpected(`'(' to open ${what}`);
  const items: T[] = [];
  while (lexer.at("(")) items.push(inParentheses(lexer, () => read(lexer)));
  return items;
}

function readTile(lexer: TextLexer): Tile {
  const { start } = lexer.current;
  const entries: number[] = [];
  do {
    const combine = lexer.takeIf("*");
    if (!combine && lexer.current.text === String(kCombineDimension)) throw lexer.error("a tile entry must be positive, or '*'");
    entries.push(combine ? kCombineDimension : lexer.expectInteger("a tile entry"));
  } while (lexer.takeIf(","));
  return errorsAt(lexer, start, () => new Tile(entries));
}

function readSplit(lexer: TextLexer): SplitConfig {
  const dimension = lexer.expectInteger("the dimension of a split");
  lexer.expect(":", "after the dimension of a split");
  const indices: number[] = [];
  do indices.push(lexer.expectInteger("a split index"));
  while (lexer.takeIf(","));
  return new SplitConfig(dimension, indices);
}

function readType(lexer: TextLexer): PrimitiveType {
  const { kind, text } = lexer.current;
  if (kind !== "name" || !isPrimitiveTypeName(text)) throw lexer.unexpected("a primitive type");
  lexer.take();
  return primitiveTypeFromName(text);
}

function readLevels(lexer: TextLexer): LayoutOptions {
  const dimLevelTypes: DimLevelType[] = [];
  const dimUnique: boolean[] = [];
  const dimOrdered: boolean[] = [];
  inParentheses(lexer, () => {
    do {
      const level = lexer.current.kind === "name" ? dimLevelTypeOfLetter(lexer.current.text) : null;
      if (level === null) throw lexer.unexpected("a level type: D, C, S or H");
      lexer.take();
      dimLevelTypes.push(level);
      dimUnique.push(!lexer.takeIf("+"));
      dimOrdered.push(!lexer.takeIf("~"));
    } while (lexer.takeIf(","));
  });
  return { dimLevelTypes, dimUnique, dimOrdered };
}
