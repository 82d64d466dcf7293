// Gradients whose rules have operations of their own, beside central differences and exact adjoints.
import "./scan-rules.suite.ts";
import "./window-rules.suite.ts";
