//! Reactions, as systems of states.

use super::Published;
use lagrange_runtime::prelude::*;

/// Robertson's reaction.
#[lagrangian {
    state y1: dot(y1) == -0.04*y1 + 1e4*y2*y3;
    state y2: dot(y2) == 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
    state y3: dot(y3) == 3e7*y2^2;
}]
#[derive(Clone, Copy, Debug)]
pub struct Robertson {}

/// The solution of [`Robertson`].
pub const ROBERTSON: Published<3> = Published {
    name: "Robertson",
    end: 1e11,
    start_q: [0.0; 3],
    start_v: [1.0, 0.0, 0.0],
    q: None,
    v: [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505],
    smallest: 0.0,
};

/// The Oregonator.
#[lagrangian {
    state y1: dot(y1) == 77.27*(y2 + y1*(1 - 8.375e-6*y1 - y2));
    state y2: dot(y2) == (y3 - (1 + y1)*y2)/77.27;
    state y3: dot(y3) == 0.161*(y1 - y3);
}]
#[derive(Clone, Copy, Debug)]
pub struct Oregonator {}

/// The solution of [`Oregonator`].
pub const OREGONATOR: Published<3> = Published {
    name: "Oregonator",
    end: 360.0,
    start_q: [0.0; 3],
    start_v: [1.0, 2.0, 3.0],
    q: None,
    v: [0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3],
    smallest: 0.0,
};

/// High irradiance response.
#[lagrangian {
    state a: dot(a) == -1.71*a + 0.43*b + 8.32*c + 0.0007;
    state b: dot(b) == 1.71*a - 8.75*b;
    state c: dot(c) == -10.03*c + 0.43*d + 0.035*e;
    state d: dot(d) == 8.32*b + 1.71*c - 1.12*d;
    state e: dot(e) == -1.745*e + 0.43*f + 0.43*g;
    state f: dot(f) == -280*f*h + 0.69*d + 1.71*e - 0.43*f + 0.69*g;
    state g: dot(g) == 280*f*h - 1.81*g;
    state h: dot(h) == -280*f*h + 1.81*g;
}]
#[derive(Clone, Copy, Debug)]
pub struct Hires {}

/// The solution of [`Hires`].
pub const HIRES: Published<8> = Published {
    name: "HIRES",
    end: 321.8122,
    start_q: [0.0; 8],
    start_v: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
    q: None,
    v: [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ],
    smallest: 0.0,
};

/// Pollution of air: 25 reactions of 20 substances.
#[lagrangian {
    let r1 = 0.35*y[0];
    let r2 = 26.6*y[1]*y[3];
    let r3 = 1.23e4*y[4]*y[1];
    let r4 = 8.6e-4*y[6];
    let r5 = 8.2e-4*y[6];
    let r6 = 1.5e4*y[6]*y[5];
    let r7 = 1.3e-4*y[8];
    let r8 = 2.4e4*y[8]*y[5];
    let r9 = 1.65e4*y[10]*y[1];
    let r10 = 9e3*y[10]*y[0];
    let r11 = 0.022*y[12];
    let r12 = 1.2e4*y[9]*y[1];
    let r13 = 1.88*y[13];
    let r14 = 1.63e4*y[0]*y[5];
    let r15 = 4.8e6*y[2];
    let r16 = 3.5e-4*y[3];
    let r17 = 0.0175*y[3];
    let r18 = 1e8*y[15];
    let r19 = 4.44e11*y[15];
    let r20 = 1240*y[16]*y[5];
    let r21 = 2.1*y[18];
    let r22 = 5.78*y[18];
    let r23 = 0.0474*y[0]*y[3];
    let r24 = 1780*y[18]*y[0];
    let r25 = 3.12*y[19];
    let rate = [
        r2 + r3 + r9 + r11 + r12 + r22 + r25 - r1 - r10 - r14 - r23 - r24,
        r1 + r21 - r2 - r3 - r9 - r12,
        r1 + r17 + r19 + r22 - r15,
        r15 - r2 - r16 - r17 - r23,
        2*r4 + r6 + r7 + r13 + r20 - r3,
        r3 + 2*r18 - r6 - r8 - r14 - r20,
        r13 - r4 - r5 - r6,
        r4 + r5 + r6 + r7,
        -r7 - r8,
        r7 + r9 - r12,
        r8 + r11 - r9 - r10,
        r9,
        r10 - r11,
        r12 - r13,
        r14,
        r16 - r18 - r19,
        -r20,
        r20,
        r23 + r25 - r21 - r22 - r24,
        r24 - r25,
    ];
    state y[i in 0..20]: dot(y[i]) == rate[i];
}]
#[derive(Clone, Copy, Debug)]
pub struct Pollution {}

/// The solution of [`Pollution`].
pub const POLLUTION: Published<20> = Published {
    name: "Pollution",
    end: 60.0,
    start_q: [0.0; 20],
    start_v: [0.0, 0.2, 0.0, 0.04, 0.0, 0.0, 0.1, 0.3, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.007, 0.0, 0.0, 0.0],
    q: None,
    v: [
        0.5646255480022769e-1,
        0.1342484130422339,
        0.4139734331099427e-8,
        0.5523140207484359e-2,
        0.2018977262302196e-6,
        0.1464541863493966e-6,
        0.7784249118997964e-1,
        0.3245075353396018,
        0.7494013383880406e-2,
        0.1622293157301561e-7,
        0.1135863833257075e-7,
        0.2230505975721359e-2,
        0.208716288279863e-3,
        0.1396921016840158e-4,
        0.8964884856898295e-2,
        0.4352846369330103e-17,
        0.6899219696263405e-2,
        0.1007803037365946e-3,
        0.1772146513969984e-5,
        0.5682943292316392e-4,
    ],
    smallest: 0.0,
};
