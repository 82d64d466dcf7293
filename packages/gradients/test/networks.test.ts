// The gradients of networks: who computes them, and many steps of training.
import "./networks/evaluation.suite.ts";
import "./networks/training-steps.suite.ts";
