{{ header }}// Registers of the RISC-V Trace Control Interface as {{ "an APB4" if bus == "apb" else "an AXI4-Lite" }} slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing.

module {{ module }} (
    input  wire clock,
    input  wire {{ reset }},
{% for port in bus_ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }},
{% endfor %}
{% for port in ports %}
    {{ port.direction }} {{ port.kind }} {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    // One access in a cycle: the register, and what is written.
    wire [13:0] word;
    wire [31:0] data;
    wire [3:0] strobes;
    wire is_write;
    // The access takes place in this cycle, and goes on if its data is not there.
    wire is_access;
    wire can_answer;
    wire is_outside = word >= 14'd{{ words }};
    wire is_done = is_access & can_answer;
    wire [31:0] mask = {{ "{" }}{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}};
    reg [31:0] read_data;

{% if bus == "apb" %}
    assign word = paddr[15:2];
    assign data = pwdata;
    assign strobes = pstrb;
    assign is_write = pwrite;
    assign is_access = psel & penable;
    assign pready = can_answer;
    assign prdata = read_data;
    assign pslverr = is_done & is_outside;
    wire unused = &{1'b0, data, mask, paddr[1:0], pprot};
{% else %}
    // Address and data of a write come in any order and wait for each other; a read waits for a write of its cycle.
    reg aw_held;
    reg [13:0] aw_word;
    reg w_held;
    reg [31:0] w_data;
    reg [3:0] w_strobes;
    reg ar_held;
    reg [13:0] ar_word;
    reg b_valid;
    reg b_error;
    reg r_valid;
    reg r_error;
    reg [31:0] r_data;

    wire does_read = ar_held & !is_write & (!r_valid | s_axi_rready);

    assign is_write = aw_held & w_held & (!b_valid | s_axi_bready);
    assign word = is_write ? aw_word : ar_word;
    assign data = w_data;
    assign strobes = w_strobes;
    assign is_access = is_write | does_read;
    assign s_axi_awready = !aw_held;
    assign s_axi_wready = !w_held;
    assign s_axi_arready = !ar_held;
    // AXI wants valid low from the first moment of the reset.
    assign s_axi_bvalid = b_valid{{ " & !reset" if reset == "reset" }};
    assign s_axi_bresp = {b_error, 1'b0};
    assign s_axi_rvalid = r_valid{{ " & !reset" if reset == "reset" }};
    assign s_axi_rresp = {r_error, 1'b0};
    assign s_axi_rdata = r_data;
    wire unused = &{1'b0, data, mask, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};

    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            aw_held <= 1'b0;
            aw_word <= 14'd0;
            w_held <= 1'b0;
            w_data <= 32'd0;
            w_strobes <= 4'd0;
            ar_held <= 1'b0;
            ar_word <= 14'd0;
            b_valid <= 1'b0;
            b_error <= 1'b0;
            r_valid <= 1'b0;
            r_error <= 1'b0;
            r_data <= 32'd0;
        end else begin
            if (s_axi_awvalid & s_axi_awready) begin
                aw_held <= 1'b1;
                aw_word <= s_axi_awaddr[15:2];
            end else if (is_write) begin
                aw_held <= 1'b0;
            end
            if (s_axi_wvalid & s_axi_wready) begin
                w_held <= 1'b1;
                w_data <= s_axi_wdata;
                w_strobes <= s_axi_wstrb;
            end else if (is_write) begin
                w_held <= 1'b0;
            end
            if (s_axi_arvalid & s_axi_arready) begin
                ar_held <= 1'b1;
                ar_word <= s_axi_araddr[15:2];
            end else if (does_read & can_answer) begin
                ar_held <= 1'b0;
            end
            if (is_write) begin
                b_valid <= 1'b1;
                b_error <= is_outside;
            end else if (s_axi_bready) begin
                b_valid <= 1'b0;
            end
            if (does_read & can_answer) begin
                r_valid <= 1'b1;
                r_error <= is_outside;
                r_data <= read_data;
            end else if (s_axi_rready) begin
                r_valid <= 1'b0;
            end
        end
    end
{% endif %}

{% for register in registers %}
{% if register.is_written %}
    // {{ register.name }}
    wire write_{{ register.name }} = is_done & is_write & (word == 14'd{{ register.word }});
{% for field in register.fields if field.access.kind == "sticky" %}
    reg {{ field.kept_range }}{{ field.name }};
{% endfor %}
{% for field in register.fields if field.is_written and field.access.kind != "sticky" %}
    wire {{ field.kept_range }}merged_{{ field.name }} = ({{ field.value }} & ~mask{{ field.slice }}) | (data{{ field.slice }} & mask{{ field.slice }});
{% endfor %}
{% for field in register.fields if field.access.kind == "pointer" %}
    assign {{ field.name }}_load = write_{{ register.name }};
    assign {{ field.name }}_loaded = merged_{{ field.name }}{{ field.legalised }};
{% endfor %}
{% if register.is_stored %}
    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
{% for field in register.fields if field.is_stored %}
            {{ field.value }} <= {{ field.reset_value }};
{% endfor %}
        end else begin
            if (write_{{ register.name }}) begin
{% for field in register.fields if field.access.kind == "control" %}
{% if field.legal_value %}
                {{ field.name }} <= {{ "{" }}{{ field.kept }}{|merged_{{ field.name }}{{ "}}" }}{{ field.legalised }};
{% else %}
                {{ field.name }} <= merged_{{ field.name }}{{ field.legalised }};
{% endif %}
{% endfor %}
{% for field in register.fields if field.access.kind == "sticky" %}
                {{ field.value }} <= {{ field.value }} & ~(data{{ field.slice }} & mask{{ field.slice }});
                if (merged_{{ field.access.cleared_with }} & !{{ field.access.cleared_with }}) begin
                    {{ field.value }} <= {{ field.kept }}'d0;
                end
{% endfor %}
            end
{% for field in register.fields if field.access.kind == "control" and field.access.hardware != "reads" %}
{% if field.access.hardware == "switches" %}
            if ({{ field.name }}_set) begin
                {{ field.name }} <= {{ field.kept }}'d1;
            end
{% endif %}
            if ({{ field.name }}_clear) begin
                {{ field.name }} <= {{ field.kept }}'d0;
            end
{% endfor %}
{% for field in register.fields if field.access.kind == "sticky" %}
            if ({{ field.name }}_set) begin
                {{ field.value }} <= {{ field.kept }}'d1;
            end
{% endfor %}
            if (!{{ register.active }}) begin
{% for field in register.fields if field.is_stored and field.name != register.active %}
                {{ field.value }} <= {{ field.reset_value }};
{% endfor %}
            end
        end
    end
{% endif %}

{% endif %}
{% endfor %}
{% for field in data %}
    assign can_answer = is_write | (word != 14'd{{ field.word }}) | {{ field.name }}_ready;
    assign {{ field.name }}_read = is_done & !is_write & (word == 14'd{{ field.word }});
{% else %}
    assign can_answer = 1'b1;
{% endfor %}

    always @(*) begin
        case (word)
{% for register in registers %}
            14'd{{ register.word }}: read_data = {{ register.read }}; // {{ register.name }}
{% endfor %}
            default: read_data = 32'd0;
        endcase
    end

endmodule
