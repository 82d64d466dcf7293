/**
 * The results of NumPy's float16 and ml_dtypes for small-numbers.suite.ts: decoded bits and encoded numbers.
 * Written by small-number-fixture.py with NumPy 2.4.6 and ml_dtypes 0.6.0; do not edit.
 */

/** The sha256 of each dtype's decoded values, and of its patterns for each input stream. */
export const digests = {
  float16: {
    decoded: "385ff5fe69182797cda5f1827e20cf423f4416bc9246f27d0eec27cac9039259",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "d66f6e52eb4441c61fbffa6cd2ee16b07ac73fabb8629e742f3f39cb13e82123",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "d2253173276304b75cb4fe135d053cd70ba24194ecef70ee621e8628059af66d",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "18fbce9d9798b036528eadc151138210bc238f0b87a74b630bdb01d4411191af",
      encoded: "d76655907df7ac3ef0977996067c0d3b70c67f7fe45efc55296da874860abb1b",
    },
    borders: {
      count: 634880,
      inputs: "64cc6f2b3eeb2067001d95520378f6c668774de858ec90827fdc8ab7b1b03a19",
      encoded: "e7abf39655a485bd576437929f6915ea71524e75615dd7c653ae979550d9f268",
    },
  },
  bfloat16: {
    decoded: "f12e27efe34841dfd6391497b86f389096b03a376586e1d9691bba0a8de3980a",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "0a5eb38496de6187d45e644c35951e7f1097e1f2a570a5b648ac8b5e5a150e9f",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "feb7cc1deb02d9cb85ee7b008afe05831e51577e0c56adc68c0b24884fbb6b3a",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "256ba7992336fa283f2f64c13ff22e167fee6232a048518963721d0498530523",
      encoded: "cb711481a73c088c31d063885713c6225a634fa259789bd0333a4f33b73e611a",
    },
    borders: {
      count: 652800,
      inputs: "03d21903e35c3aac95cf4a4190b49a3239cec442928e438ce67a1458257ea392",
      encoded: "f887167406942a34bb29b57a6ac5155520976cf664cc39a7745b197447cbae4a",
    },
  },
  float8_e5m2: {
    decoded: "229a94c5f728edf2259da970a0e1dfb45cc1d69cce2b30e37659f3212ec4b8b9",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "fa876cbd55149b6ffa20b22c4147006e4c2f559cec91e6db61c422916814f3fe",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "19742c4d236d1df7e2d2290cb0b8ddbbd35d6cb3159cdc5b1c3bfdfa430df5cc",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "2b8c0a2d6e15b2eeaf852362ea37c8c19028beffee287b69f7c946c53b2feb2e",
      encoded: "0fa0dd8659c0c486c49f7ad07b3972eb1343392e0a1c54e6337f8777c05e5f4a",
    },
    borders: {
      count: 2480,
      inputs: "27b13a1682fb065be4894741937afcd2e785dfd887ebd22acf4c6282773b7a36",
      encoded: "76d721df95e4cd728356aa2a3cd65c54f2675fc73f30100c6c68995c613ff719",
    },
  },
  float8_e4m3fn: {
    decoded: "422eccfaa21e72a6b26855bb10cdcfead6c1ce3262ecd813c99d8cbf9677f2e2",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "3eba2c533c58f983092eed915878c2c722d90f261a9934287ff734d40b6f4007",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "fb3d426781e465f38c120e0cf95dbb73f50396851a1e685ebdc8663c9226bf61",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "82ad6095ca7e542429af37ea1eb04639a8da45fc4764d60eaf72a911e5f73fc7",
      encoded: "9ff120ce190dc89aaef7975df66a52e46571f32c2ea86ec26a1747b6b3e38525",
    },
    borders: {
      count: 2540,
      inputs: "4a9b7547946bae6b5e7b9433ccdc5501b9878709cbcd2b701239b85bc835da26",
      encoded: "27b51bb7130a9c535d9fbd6013efef1e39e98286310864660bc3b226effe9369",
    },
  },
  float8_e4m3fnuz: {
    decoded: "ac4866f772a7c08077713fde1fa54131d49c26339c885e971a24fc0fac6e33f4",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "e2d016fd72407da6963c4d885841752f306052e9db12b9c84077ecf284dde3f1",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "c49960d614f75caed2b0c86ab22a8540c3952f731c361ac59fbac684910b457c",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "e3ef9bf780930a9d115b4582fe2eb817b9e8f90a0958da65144e46d9bf16e429",
      encoded: "541d92ad09e858fa7cab71a6e6d22a51f0f5e36b1ecb40054188e2adfbbc8713",
    },
    borders: {
      count: 2560,
      inputs: "882fbdf000a57d3e20a4efcd03d6248aa12ead5c5b79df6a94411c6a73ef5d87",
      encoded: "cf4f35687cdf2b2b90e76c1faf91f14116e775bd97279c256c585e90ae4a9d97",
    },
  },
  float8_e4m3b11fnuz: {
    decoded: "74505330e3c9cb738d787c6bcd5d5a61a2090f98e302b7b0812c7faf29f4e1fe",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "a42e17ddcba9efe5ecf188c523f4b048dfbfcea78a2d66af1330a9fb010e96fb",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "97d292c632abfcc9f779fe331fe71f01e20915a98ac7d024e6805d2326551ef1",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "bd18a2ef2fd2aea9c2ad90f30e929d72da5fba44bca00e1cfad6a06d5a772d5b",
      encoded: "541d92ad09e858fa7cab71a6e6d22a51f0f5e36b1ecb40054188e2adfbbc8713",
    },
    borders: {
      count: 2560,
      inputs: "d8b4ebc4b08813826c41e9c79c93e668147a0ea27516ddfa09c1d3ed7841bd69",
      encoded: "cf4f35687cdf2b2b90e76c1faf91f14116e775bd97279c256c585e90ae4a9d97",
    },
  },
  float8_e5m2fnuz: {
    decoded: "aac12d2730bf26ca53bfa107a7a6a8df192aba8cf58b971eec9126f83991e6d4",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "d5edd948e0c37587b4a8879c4186b29cb6ca580014522b447718b3ae7e32f5f8",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "a433cd785ffae10109303f8b3e70095e1b82a027d68c7d1cc068b8960ab131ed",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "e7086e3bc0cfffe5c593a2ead6d1bc00de7031aff99a1722b3d49cc64de688a2",
      encoded: "5cf5f01ff5758c9069eb00f890e6e6b8439c34854f41f5e307ba5f73b0f2e4e8",
    },
    borders: {
      count: 2560,
      inputs: "3dc93c6f6b7c2c49b9f5ec365ef79796cb0951ac849276ad1fc8778d833820c7",
      encoded: "cf4f35687cdf2b2b90e76c1faf91f14116e775bd97279c256c585e90ae4a9d97",
    },
  },
  float4_e2m1fn: {
    decoded: "c736c7e2e761e08975d601fab3563265be14d8df46628e596c0989b97735b5f5",
    randomDoubles: {
      count: 700000,
      inputs: "212bbe36a85037106b798c08f14887f33dfe0e7837290b111da94ba4760f9995",
      encoded: "a7d7171ac046e407d449b87ab52c553118e5dfb9528b96cab42c1cc688a87503",
    },
    randomFloats: {
      count: 700000,
      inputs: "368ef9bda9b15d73e14d38f19e8564f32125b0328ae72e0d29c62a1a5afc6b00",
      encoded: "a4859a4a85b9850b84c7659017aafd2fd8bc6e51152e8a54200f1cfec36f7ff0",
    },
    rangedDoubles: {
      count: 700000,
      inputs: "c7dffaca8cc09b89dfc0bd81cd873af2ae8e3e8500b1bc61007e48b5ff644cae",
      encoded: "eb09c0d6252bf1753c167099c9dcffcbcc4d71284ea81f4ac8784d4aba8db18a",
    },
    borders: {
      count: 160,
      inputs: "858d19281c116896c678352e852230dd94afd1717332fc061f74d9eb0b7e504c",
      encoded: "57d0926625bdb024031d2f305850d56e5ebd157ff08b9b753da7a1dff24a250d",
    },
  },
} as const;

/** Each number with its patterns in float16, bfloat16, float8_e5m2, float8_e4m3fn, float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz, float4_e2m1fn. */
export const encodedFloats: readonly (readonly [x: number, ...patterns: number[]])[] = [
  [0, 0x0000, 0x0000, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [-0, 0x8000, 0x8000, 0x80, 0x80, 0x00, 0x00, 0x00, 0x08],
  [1, 0x3c00, 0x3f80, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [-1, 0xbc00, 0xbf80, 0xbc, 0xb8, 0xc0, 0xd8, 0xc0, 0x0a],
  [0.1, 0x2e66, 0x3dcd, 0x2e, 0x1d, 0x25, 0x3d, 0x32, 0x00],
  [0.3333333333333333, 0x3555, 0x3eab, 0x35, 0x2b, 0x33, 0x4b, 0x39, 0x01],
  [0.6666666666666666, 0x3955, 0x3f2b, 0x39, 0x33, 0x3b, 0x53, 0x3d, 0x01],
  [3.14159, 0x4248, 0x4049, 0x42, 0x45, 0x4d, 0x65, 0x46, 0x05],
  [15.5, 0x4bc0, 0x4178, 0x4c, 0x58, 0x60, 0x78, 0x50, 0x07],
  [30, 0x4f80, 0x41f0, 0x50, 0x5f, 0x67, 0x7f, 0x54, 0x07],
  [30.99999999999, 0x4fc0, 0x41f8, 0x50, 0x5f, 0x67, 0x7f, 0x54, 0x07],
  [31, 0x4fc0, 0x41f8, 0x50, 0x60, 0x68, 0x80, 0x54, 0x07],
  [100, 0x5640, 0x42c8, 0x56, 0x6c, 0x74, 0x80, 0x5a, 0x07],
  [240, 0x5b80, 0x4370, 0x5c, 0x77, 0x7f, 0x80, 0x60, 0x07],
  [247.99999999999, 0x5bc0, 0x4378, 0x5c, 0x77, 0x7f, 0x80, 0x60, 0x07],
  [248, 0x5bc0, 0x4378, 0x5c, 0x78, 0x80, 0x80, 0x60, 0x07],
  [448, 0x5f00, 0x43e0, 0x5f, 0x7e, 0x80, 0x80, 0x63, 0x07],
  [464, 0x5f40, 0x43e8, 0x5f, 0x7e, 0x80, 0x80, 0x63, 0x07],
  [464.00000000001, 0x5f40, 0x43e8, 0x5f, 0x7f, 0x80, 0x80, 0x63, 0x07],
  [480, 0x5f80, 0x43f0, 0x60, 0x7f, 0x80, 0x80, 0x64, 0x07],
  [57344, 0x7b00, 0x4760, 0x7b, 0x7f, 0x80, 0x80, 0x7f, 0x07],
  [61439.99999999999, 0x7b80, 0x4770, 0x7b, 0x7f, 0x80, 0x80, 0x7f, 0x07],
  [61440, 0x7b80, 0x4770, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [65504, 0x7bff, 0x4780, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [65519.99999999999, 0x7bff, 0x4780, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [65520, 0x7c00, 0x4780, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [65536, 0x7c00, 0x4780, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [100000, 0x7c00, 0x47c3, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [3.3895313892515355e38, 0x7c00, 0x7f7f, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [3.39e38, 0x7c00, 0x7f7f, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [3.4028234663852886e38, 0x7c00, 0x7f80, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [1e300, 0x7c00, 0x7f80, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [1.00390625, 0x3c04, 0x3f80, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [1.0039062500000002, 0x3c04, 0x3f80, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [1.00048828125, 0x3c00, 0x3f80, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [1.0004882812500002, 0x3c01, 0x3f80, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [1.125, 0x3c80, 0x3f90, 0x3c, 0x39, 0x41, 0x59, 0x40, 0x02],
  [1.0625, 0x3c40, 0x3f88, 0x3c, 0x38, 0x40, 0x58, 0x40, 0x02],
  [1.0625000000000002, 0x3c40, 0x3f88, 0x3c, 0x39, 0x41, 0x59, 0x40, 0x02],
  [0.001953125, 0x1800, 0x3b00, 0x18, 0x01, 0x02, 0x10, 0x1c, 0x00],
  [0.0009765625, 0x1400, 0x3a80, 0x14, 0x00, 0x01, 0x08, 0x18, 0x00],
  [0.00048828125, 0x1000, 0x3a00, 0x10, 0x00, 0x00, 0x04, 0x14, 0x00],
  [6.103515625e-5, 0x0400, 0x3880, 0x04, 0x00, 0x00, 0x00, 0x08, 0x00],
  [7.62939453125e-6, 0x0080, 0x3700, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00],
  [3.814697265625e-6, 0x0040, 0x3680, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [5.960464477539063e-8, 0x0001, 0x3380, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [2.9802322387695312e-8, 0x0000, 0x3300, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [2.980232238769532e-8, 0x0001, 0x3300, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [9.183549615799121e-41, 0x0000, 0x0001, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [4.591774807899561e-41, 0x0000, 0x0000, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [1.401298464324817e-45, 0x0000, 0x0000, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [5e-324, 0x0000, 0x0000, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
  [Infinity, 0x7c00, 0x7f80, 0x7c, 0x7f, 0x80, 0x80, 0x80, 0x07],
  [-Infinity, 0xfc00, 0xff80, 0xfc, 0xff, 0x80, 0x80, 0x80, 0x0f],
  [NaN, 0x7e00, 0x7fc0, 0x7e, 0x7f, 0x80, 0x80, 0x80, 0x08],
];

/** Each number with its stored byte as int4, uint4, int2, uint2. */
export const encodedInts: readonly (readonly [x: number, ...bytes: number[]])[] = [
  [0, 0, 0, 0, 0],
  [-0, 0, 0, 0, 0],
  [0.5, 0, 0, 0, 0],
  [0.99, 0, 0, 0, 0],
  [-0.5, 0, 0, 0, 0],
  [1, 1, 1, 1, 1],
  [1.9, 1, 1, 1, 1],
  [-1, 15, 15, 3, 3],
  [-1.9, 15, 15, 3, 3],
  [2, 2, 2, 2, 2],
  [-2, 14, 14, 2, 2],
  [3, 3, 3, 3, 3],
  [-3, 13, 13, 1, 1],
  [4, 4, 4, 0, 0],
  [7, 7, 7, 3, 3],
  [7.9, 7, 7, 3, 3],
  [8, 8, 8, 0, 0],
  [-8, 8, 8, 0, 0],
  [-9, 7, 7, 3, 3],
  [15, 15, 15, 3, 3],
  [15.9, 15, 15, 3, 3],
  [16, 0, 0, 0, 0],
  [16.5, 0, 0, 0, 0],
  [100.7, 4, 4, 0, 0],
  [-100.7, 12, 12, 0, 0],
  [300.5, 12, 12, 0, 0],
  [100000, 0, 0, 0, 0],
  [2147483647, 15, 15, 3, 3],
  [-2147483648, 0, 0, 0, 0],
  [Infinity, 0, 0, 0, 0],
  [-Infinity, 0, 0, 0, 0],
  [NaN, 0, 0, 0, 0],
];

/** The values of the bytes 0 to 255; the upper bits are ignored. */
export const decodedInts: Readonly<Record<"int4" | "uint4" | "int2" | "uint2", string>> = {
  int4: "1f05c23b892c15cd7152aa03a216c53f65306d62678e517656e838936ed23929",
  uint4: "fe1074aaec4c28727cdc5820b2edfb3bffbfc41cc47b0ee587c38aba2a4954ed",
  int2: "9ccfb0c25fd8efb324837dd5274c7b7e37f8b280b7e1723255082200273c4e1c",
  uint2: "c709faa7d08bbfafc87e29d350f3947c9b7b2ec5a498f2dcfda45fe87435a383",
};
