/* The trace system {{ identifier }}, written by `tracewright generate`: what its units' registers are from, in bytes from the
 * base address of the system. The registers of a hart are in HART/driver/tracewright_registers.h, those of the sink in
 * sink/driver/tracewright_registers.h. */
#ifndef {{ guard }}
#define {{ guard }}

{% for hart in harts %}
#define {{ hart.macro }}_BASE {{ "0x%05x" | format(hart.base) }}u
#define {{ hart.macro }}_SOURCE {{ hart.source }}u
{% endfor %}
#define {{ macro }}_SINK_BASE {{ "0x%05x" | format(sink_base) }}u
#define {{ macro }}_SOURCE_BITS {{ source_bits }}u
{% if has_bytes %}
#define {{ macro }}_RING_BYTES {{ ring_bytes }}u
{% endif %}

#endif
