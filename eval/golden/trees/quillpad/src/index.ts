export { Doc, Block, type BlockKind, type Mark } from "./model/doc";
export { Step, InsertText, DeleteRange, SetKind, ToggleMark } from "./model/step";
export { Mapping } from "./model/mapping";
export { History } from "./model/history";
export { Editor, type EditorOptions } from "./view/editor";
export { keymap, type Command } from "./input/keymap";
export { defaultRules } from "./input/rules";
export { SyncClient } from "./sync/client";
export { autosave } from "./sync/autosave";
