/* What positions of the games of dice are worth, worked out apart from the scoreboard's code.

   Wrote the worths of dice_vectors.csv (make_vectors.py runs it):
     cc -O3 -march=native -o solver independent_solver.c && ./solver GAME FLAVOUR < positions
   A position is a line "mask upper other": the filled boxes in the order of the switch below, the
   upper sum, and 0/1 for the 50 in the Yahtzee box, or what Plus or Minus holds while the other is
   empty. It scores by counting faces and tries every subset of the dice; memory is one double each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { YAHTZEE, CHASER, YAMS };
static int game, flavour, boxes, cap, others;
static int rolls[252][5], count[252][7], weight[252], rolled;
static int keeps[462][7], kept, index_of[6][6][6][6][6][6];
static int subs[252][32], nsubs[252], grow[462][6], roll_of[462];
static double *table;

static int largest(const int *c) { int m = 0; for (int f = 1; f <= 6; f++) if (c[f] > m) m = c[f]; return m; }
static int has(const int *c, int n) { for (int f = 1; f <= 6; f++) if (c[f] == n) return 1; return 0; }
static int sum(const int *c) { int s = 0; for (int f = 1; f <= 6; f++) s += f * c[f]; return s; }
static int row(const int *c, int n) {
    for (int f = 1; f + n - 1 <= 6; f++) { int k = 0; while (k < n && c[f + k]) k++; if (k == n) return 1; }
    return 0;
}
static int opposite(const int *c) {
    for (int f = 1; f <= 6; f++) if (c[f] == 4 && c[7 - f] == 1) return 1;
    return 0;
}

/* What a roll is worth in a box of the lower section, 6 being the first. */
static int lower(const int *c, int box, int joker) {
    int five = largest(c) == 5, s = sum(c);
    if (game == YAHTZEE) switch (box) {
        case 6: return largest(c) >= 3 ? s : 0;
        case 7: return largest(c) >= 4 ? s : 0;
        case 8: return joker || (has(c, 3) && has(c, 2)) ? flavour : 0;
        case 9: return joker || row(c, 4) ? 30 : 0;
        case 10: return joker || row(c, 5) ? 40 : 0;
        case 11: return five ? 50 : 0;
        default: return s;
    }
    if (game == CHASER) switch (box) {
        case 6: return five ? 50 : 0;
        case 7: return c[1] && c[2] && c[3] && c[4] && c[5] ? 40 : 0;
        case 8: return c[2] && c[3] && c[4] && c[5] && c[6] ? 30 : 0;
        case 9: return largest(c) >= 4 ? s : 0;
        case 10: return (has(c, 3) && has(c, 2)) || five || (!flavour && largest(c) == 4) ? s : 0;
        default: { int p = 0; for (int f = 1; f <= 6; f++) p += c[f] / 2; return p >= 2 ? s : 0; }
    }
    switch (box) {
        case 6: case 7: return s;
        case 8: return largest(c) >= 4 ? s + 40 : 0;
        case 9: return five || (has(c, 3) && has(c, 2)) ? s + 30 : 0;
        case 10: return row(c, 4) ? flavour : 0;
        case 11: return row(c, 5) ? 50 : 0;
        case 12: return five ? s + 50 : 0;
        default: return opposite(c) ? 50 : 0;
    }
}

static long place(int mask, int upper, int other) { return ((long)mask * (cap + 1) + upper) * others + other; }

/* The points still to come from a box filled now; below 0 where the rules forbid it. */
static double filled(int mask, int upper, int other, int box, int r) {
    const int *c = count[r];
    int face = largest(c) == 5 ? rolls[r][0] : 0, points, gain, next_other = other, next_upper = upper;
    int joker = game == YAHTZEE && face && (mask >> 11 & 1), bonus = joker && other ? 100 : 0;
    if (mask >> box & 1) return -1;
    if (joker && !(mask >> (face - 1) & 1) && box != face - 1) return -1;
    if (joker && (mask >> (face - 1) & 1) && box < 6 && (mask >> 6) != 127) return -1;
    points = gain = box < 6 ? (box + 1) * c[box + 1] : lower(c, box, joker);
    if (box < 6 && game != CHASER) {
        int before = upper, after = upper + points;
        if (game == YAHTZEE && before < 63 && after >= 63) gain += 35;
        if (game == YAMS && before < 60 && after >= 60) gain += 30 + after - 60;
        if (game == YAMS && before >= 60) gain += points;
        next_upper = after > cap ? cap : after;
    }
    if (game == YAHTZEE && box == 11 && points) next_other = 1;
    if (game == YAMS && (box == 6 || box == 7)) {
        gain = 0; next_other = points;
        if (mask >> 6 & 3) {
            int plus = box == 6 ? points : other, minus = box == 6 ? other : points;
            gain = plus > minus ? plus - minus : 0; next_other = 0;
        }
    }
    return gain + bonus + table[place(mask | 1 << box, next_upper, next_other)];
}

static double turn(int mask, int upper, int other) {
    double roll[252], keep[462], total = 0;
    for (int r = 0; r < 252; r++) {
        roll[r] = -1;
        for (int b = 0; b < boxes; b++) {
            double v = filled(mask, upper, other, b, r);
            if (v > roll[r]) roll[r] = v;
        }
    }
    for (int again = 0; again < 2; again++) {
        for (int k = kept - 1; k >= 0; k--) {
            if (roll_of[k] >= 0) { keep[k] = roll[roll_of[k]]; continue; }
            keep[k] = 0;
            for (int f = 0; f < 6; f++) keep[k] += keep[grow[k][f]] / 6;
        }
        for (int r = 0; r < 252; r++)
            for (int s = 0; s < nsubs[r]; s++) if (keep[subs[r][s]] > roll[r]) roll[r] = keep[subs[r][s]];
    }
    for (int r = 0; r < 252; r++) total += weight[r] * roll[r];
    return total / 7776;
}

static int *at(const int *c) { return &index_of[c[1]][c[2]][c[3]][c[4]][c[5]][c[6]]; }

static void prepare(void) {
    for (int n = 0; n <= 5; n++)
        for (int code = 0; code < 46656; code++) {
            int c[7] = {0}, left = code, s = 0;
            for (int f = 1; f <= 6; f++) { c[f] = left % 6; left /= 6; s += c[f]; }
            if (s == n) { memcpy(keeps[kept], c, sizeof c); *at(c) = kept; roll_of[kept] = n == 5 ? rolled++ : -1; kept++; }
        }
    for (int k = 0; k < kept; k++)
        for (int f = 1; f <= 6 && roll_of[k] < 0; f++) { keeps[k][f]++; grow[k][f - 1] = *at(keeps[k]); keeps[k][f]--; }
    for (int k = 0; k < kept; k++) if (roll_of[k] >= 0) {
        int r = roll_of[k], d = 0, ways = 120;
        memcpy(count[r], keeps[k], sizeof keeps[k]);
        for (int f = 1; f <= 6; f++) for (int i = 1; i <= count[r][f]; i++) { rolls[r][d++] = f; ways /= i; }
        weight[r] = ways;
        for (int m = 0; m < 32; m++) {
            int c[7] = {0};
            for (int i = 0; i < 5; i++) if (m >> i & 1) c[rolls[r][i]]++;
            subs[r][nsubs[r]++] = *at(c);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    game = !strcmp(argv[1], "yahtzee") ? YAHTZEE : !strcmp(argv[1], "chaser") ? CHASER : YAMS;
    flavour = atoi(argv[2]);
    boxes = game == YAHTZEE ? 13 : game == CHASER ? 12 : 14;
    cap = game == YAHTZEE ? 63 : game == CHASER ? 0 : 60;
    others = game == YAHTZEE ? 2 : game == CHASER ? 1 : 31;
    prepare();
    table = calloc((size_t)(1 << boxes) * (cap + 1) * others, sizeof *table);
    char reach[64][128] = {{1}};
    for (int m = 0; m < 64; m++) for (int u = 0; u <= cap; u++) if (reach[m][u])
        for (int f = 1; f <= 6; f++) if (!(m >> (f - 1) & 1))
            for (int n = 0; n <= 5; n++) reach[m | 1 << (f - 1)][u + n * f > cap ? cap : u + n * f] = 1;
    for (int mask = (1 << boxes) - 2; mask >= 0; mask--)
        for (int u = 0; u <= cap; u++) if (reach[mask & 63][u])
            for (int o = 0; o < others; o++) {
                int one = game == YAMS && ((mask >> 6 & 3) == 1 || (mask >> 6 & 3) == 2);
                if (game == YAMS && (one ? o < 5 || o > 30 : o)) continue;
                if (game == YAHTZEE && o && !(mask >> 11 & 1)) continue;
                table[place(mask, u, o)] = turn(mask, u, o);
            }
    int mask, upper, other;
    while (scanf("%d %d %d", &mask, &upper, &other) == 3)
        printf("%.9f\n", table[place(mask, upper > cap ? cap : upper, other)]);
    return 0;
}
