// Expressions on a GPU, without one: shaders as text, and the device over a fake of WebGPU.
import "./buffer-lifetime.suite.ts";
import "./device.suite.ts";
import "./shaders.suite.ts";
import "./types.suite.ts";
