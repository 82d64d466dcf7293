// Signals: transforms and their errors, frames, windows, filters, kernels that load later.
import "./fft/accuracy.suite.ts";
import "./fft/faults.suite.ts";
import "./fft/unit-roots.suite.ts";
import "./filter/filters.suite.ts";
import "./frame/frames.suite.ts";
import "./later-kernels.suite.ts";
import "./transform/functions.suite.ts";
import "./windows.suite.ts";
