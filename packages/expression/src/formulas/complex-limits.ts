/**
 * complex-limits: the sizes at which the functions of complex numbers change their form. The evaluator's functions and the formulas
 * (complex-formulas.ts) change it at the same ones.
 */

/** Above every part of a complex64 number. Products with one are finite. */
export const kHuge: number = 2 ** 400;
/** Lost when it is added to any part of a complex64 number but 0. */
export const kTiny: number = 2 ** -700;
/** Above and below these sizes |z| may overflow or lose bits, and functions compute with kDown z or kUp z. */
export const kLarge: number = 2 ** 1000;
export const kSmall: number = 2 ** -900;
export const kDown: number = 2 ** -100;
export const kUp: number = 2 ** 100;
/** Beyond this size of a part 1 is lost beside z^2: asin z is -i log(2iz), up to signs. */
export const kFar: number = 2 ** 28;
/** Where both parts are smaller, asin z is z. Differences of the square roots of 1 + z and 1 - z would lose denormal parts. */
export const kNear: number = 2 ** -30;
/** Beyond this |z| the real part of atan z is ±π/2, and the imaginary part b / |z|^2. */
export const kFarAngle: number = 2 ** 60;
/** Nearer to ±i than this, the square of the distance would underflow. */
export const kPole: number = 2 ** -400;
