/* A recursive descent parser of expressions into a tree of function pointers, and its evaluation. */
#include "board.h"

#define NODES 512
#define VARIABLES 4
#define ROUNDS 1500

struct node;
typedef int32_t evaluator(const struct node *node);

struct node {
    evaluator *evaluate;
    const struct node *left, *right;
    int32_t value;
};

static struct node nodes[NODES];
static unsigned used;
static int32_t variables[VARIABLES];
static const char *input;

static int32_t evaluate(const struct node *node)
{
    return node->evaluate(node);
}

static int32_t constant(const struct node *node)
{
    return node->value;
}

static int32_t variable(const struct node *node)
{
    return variables[node->value];
}

static int32_t add(const struct node *node)
{
    return (int32_t)((uint32_t)evaluate(node->left) + (uint32_t)evaluate(node->right));
}

static int32_t subtract(const struct node *node)
{
    return (int32_t)((uint32_t)evaluate(node->left) - (uint32_t)evaluate(node->right));
}

static int32_t multiply(const struct node *node)
{
    return (int32_t)((uint32_t)evaluate(node->left) * (uint32_t)evaluate(node->right));
}

static int32_t divide(const struct node *node)
{
    int32_t by = evaluate(node->right);
    return by == 0 ? 0 : by == -1 ? 0 : evaluate(node->left) / by;
}

static int32_t choose(const struct node *node)
{
    return evaluate(node->left) > 0 ? evaluate(node->right) : node->value;
}

static const struct node *make(evaluator *evaluate, const struct node *left,
                               const struct node *right, int32_t value)
{
    struct node *node = &nodes[used++ % NODES];
    node->evaluate = evaluate;
    node->left = left;
    node->right = right;
    node->value = value;
    return node;
}

static const struct node *expression(void);

/* factor = number | variable | "(" expression ")" */
static const struct node *factor(void)
{
    if (*input == '(') {
        input++;
        const struct node *inner = expression();
        input++;
        return inner;
    }
    if (*input >= 'a')
        return make(variable, 0, 0, *input++ - 'a');
    int32_t number = 0;
    while (*input >= '0' && *input <= '9')
        number = number * 10 + (*input++ - '0');
    return make(constant, 0, 0, number);
}

/* term = factor { ("*" | "/") factor } */
static const struct node *term(void)
{
    const struct node *left = factor();
    while (*input == '*' || *input == '/') {
        evaluator *what = *input++ == '*' ? multiply : divide;
        left = make(what, left, factor(), 0);
    }
    return left;
}

/* expression = term { ("+" | "-" | "?") term } */
static const struct node *expression(void)
{
    const struct node *left = term();
    while (*input == '+' || *input == '-' || *input == '?') {
        char operation = *input++;
        evaluator *what = operation == '+' ? add : operation == '-' ? subtract : choose;
        left = make(what, left, term(), 1);
    }
    return left;
}

int program(void)
{
    static const char *const sources[] = {
        "1+2*3-4/(5-3)", "a*a+b*b-c*(d-7)", "(a-b)*(a+b)/((c?3)+1)", "((((a))))*2?b-100",
        "(a+1)*(b+2)*(c+3)*(d+4)-a/b/c/d", "3*(a?b*(c-(d*2)))+17/(1+a*a)",
    };
    uint32_t hash = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned v = 0; v < VARIABLES; v++)
            variables[v] = (int32_t)(board_random() % 2001) - 1000;
        input = sources[round % (sizeof sources / sizeof sources[0])];
        used = 0;
        const struct node *tree = expression();
        for (unsigned again = 0; again < 3; again++) {
            hash = hash * 31 + (uint32_t)evaluate(tree);
            variables[again] += 1;
        }
        if (round == 0 && evaluate(tree) != 5)
            return 1;
    }
    return hash != 0xf461560eu;
}
