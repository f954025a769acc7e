set file [open [lindex $argv 0]]
foreach word [split [read $file] " \n"] { incr count([string tolower $word]) }
set lengths 0
foreach {word times} [array get count] { incr lengths [expr {$times * [string length $word]}] }
catch { error "caught" } said
puts "[array size count] $lengths $said"
