// The forms, lists and rules that vectors are checked by: small suites that load the library once.
import "./forms.suite.ts";
import "./lists.suite.ts";
import "./mutated-vectors.suite.ts";
import "./proto-forms.suite.ts";
import "./rules.suite.ts";
