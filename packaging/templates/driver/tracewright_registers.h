/* Registers of {{ name }}, written by `tracewright {{ verb }}`: offsets in bytes from the base address of the {{ unit }}, and
 * of each field its bits, its lowest bit and its value after reset. docs/control.md of Tracewright says how they are used. */
#ifndef {{ guard }}
#define {{ guard }}
{% for part in parts %}

/* {{ part.what }} */
#define TW_{{ part.macro }}_BASE {{ "0x%05x" | format(part.base) }}u
{% if part.source is defined %}
#define TW_{{ part.macro }}_SOURCE {{ part.source }}u
{% endif %}
{% endfor %}
{% for component in components %}

/* {{ component.doc }} */
{% for register in component.registers %}

#define TW_{{ component.macro }}{{ register.name }} 0x{{ register.address }}u
{% for field in register.fields %}
#define TW_{{ component.macro }}{{ field.name }}_MASK {{ "0x%08x" | format(field.mask) }}u
#define TW_{{ component.macro }}{{ field.name }}_SHIFT {{ field.low }}
{% if field.reset is not none %}
#define TW_{{ component.macro }}{{ field.name }}_RESET {{ "0x%x" | format(field.reset) }}u
{% endif %}
{% endfor %}
{% endfor %}
{% endfor %}

#endif
