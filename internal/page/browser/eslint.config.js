// ESLint's rules for internal/page/js. The page has no other globals than those of a browser, and uPlot.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, uPlot: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }], // == null is null or undefined
      "no-restricted-globals": ["error", "event", "name", "status", "length"], // properties of the window: a use means that a variable was forgotten
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
];
