/** The version this command reports: the package's own, checked against package.json by a test. */
export const version = "0.1.0";
